import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  seconds,
  textsOn,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'
import { SpeakerError } from '../speakers/speaker-error.ts'

useFakeClock()

describe('an announcement that repeats', () => {
  const repeat = { times: 3, everySeconds: 10, untilAcknowledged: false }
  const untilAcknowledged = { times: Infinity, everySeconds: 10, untilAcknowledged: true }

  it('is said as often as asked, from start to start', async () => {
    const { announce, kitchen } = useAnnouncer()
    const report = announce('Again.', { repeat })
    await seconds(30)
    expect(await report).toMatchObject({ status: 'said', times: 3 })
    expect(kitchen.played.map(({ startedAt }) => startedAt - kitchen.played[0]!.startedAt)).toEqual(
      [0, 10_000, 20_000],
    )
  })

  it('leaves the speaker to others in between', async () => {
    const { announce, texts } = useAnnouncer()
    announce('Again.', { repeat })
    await seconds(3)
    announce('In between.', { priority: 'info' })
    await seconds(30)
    expect(texts()).toEqual(['Again.', 'In between.', 'Again.', 'Again.'])
  })

  it('is listed until it is acknowledged by its id', async () => {
    const { announcer, announce, pendingAlarms } = useAnnouncer()
    const fire = announce('Fire.', { repeat: untilAcknowledged })
    const water = announce('Water.', { repeat: untilAcknowledged })
    announce('Twice.', { repeat })
    await seconds(25)
    expect(announcer.acknowledge(undefined, 'another')).toBe(0)
    expect(announcer.acknowledge(undefined, '1')).toBe(1)
    expect(await fire).toMatchObject({ acknowledged: true })
    expect(pendingAlarms).toEqual([
      ['1 Fire. kitchen'],
      ['1 Fire. kitchen', '2 Water. kitchen'],
      ['2 Water. kitchen'],
    ])
    announcer.acknowledge()
    await seconds(5)
    expect(await water).toMatchObject({ acknowledged: true })
    expect(pendingAlarms.at(-1)).toEqual([])
  })

  it('ends when it is acknowledged', async () => {
    const { announcer, announce, texts } = useAnnouncer()
    const report = announce('Fire.', {
      repeat: untilAcknowledged,
      priority: 'alarm',
      topic: 'fire',
    })
    await seconds(25)
    announcer.acknowledge('another topic')
    await seconds(1)
    announcer.acknowledge('fire')
    await seconds(60)
    expect(await report).toMatchObject({ status: 'said', times: 3, acknowledged: true })
    expect(texts()).toEqual(['Fire.', 'Fire.', 'Fire.'])
  })

  it('is silent at once when it is acknowledged while it plays', async () => {
    const { announcer, announce, texts } = useAnnouncer()
    const report = announce('Fire.', { repeat: untilAcknowledged, priority: 'alarm' })
    await seconds(1)
    announcer.acknowledge()
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: true })
    expect(texts()).toEqual(['Fire....'])
  })

  it('is said once if it is acknowledged before anybody has heard it', async () => {
    const { announcer, announce } = useAnnouncer()
    announce('Plays.', { priority: 'alarm' })
    const report = announce('Fire.', { repeat: untilAcknowledged, priority: 'alarm' })
    announcer.acknowledge()
    await seconds(60)
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: true })
  })

  it('is said from its start, once, if it is acknowledged unheard and then interrupted', async () => {
    const { announcer, announce, texts } = useAnnouncer()
    announce('Plays.')
    const report = announce('The door is open.', { repeat: untilAcknowledged, seconds: 10 })
    announcer.acknowledge()
    await seconds(5)
    announce('Fire.', { priority: 'urgent' })
    await seconds(60)
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: true })
    expect(texts()).toEqual(['Plays.', 'The door is open....', 'Fire.', 'The door is open.'])
  })

  it('was said if it is acknowledged after it was cut', async () => {
    const { announcer, announce } = useAnnouncer()
    const first = announce('Fire.', { repeat: untilAcknowledged, priority: 'alarm', seconds: 30 })
    announce('A leak.', { priority: 'alarm', seconds: 30 })
    await seconds(15)
    announcer.acknowledge()
    expect(await first).toMatchObject({ status: 'said', times: 1, acknowledged: true })
  })

  it('does not end when its speaker fails later', async () => {
    const { announcer, announce, kitchen } = useAnnouncer()
    const report = announce('Fire.', { repeat: untilAcknowledged, priority: 'alarm' })
    await seconds(5)
    kitchen.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'No response')
    await seconds(10)
    kitchen.failure = undefined
    await seconds(10)
    announcer.acknowledge()
    expect(await report).toMatchObject({ status: 'said', times: 2, acknowledged: true })
  })

  it('is tried until it is heard, and its failures are reported once', async () => {
    const { announcer, announce, kitchen, states } = useAnnouncer()
    kitchen.failure = new SpeakerError('NO_PLAYER', 'The tablet is off')
    const report = announce('Fire.', { repeat: untilAcknowledged })
    await seconds(35)
    expect(states).toEqual([
      'Fire.: failed',
      'Fire.: repeating',
      'Fire.: repeating',
      'Fire.: repeating',
      'Fire.: repeating',
    ])
    kitchen.failure = undefined
    await seconds(10)
    announcer.acknowledge()
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: true })
  })

  it('was not said if it is acknowledged before it was heard at all', async () => {
    const { announcer, announce, kitchen } = useAnnouncer()
    kitchen.failure = new SpeakerError('NO_PLAYER', 'The tablet is off')
    const report = announce('Fire.', { repeat: untilAcknowledged })
    await seconds(5)
    expect(announcer.acknowledge()).toBe(1)
    expect(announcer.acknowledge()).toBe(0)
    expect(await report).toMatchObject({
      status: 'not said',
      reason: 'failed',
      acknowledged: true,
      times: 0,
    })
  })

  it('does not take the place of others that wait, and is given up only when 50 newer ones repeat', async () => {
    const { announcer, announce } = useAnnouncer()
    const settings = { repeat: { ...untilAcknowledged, everySeconds: 3600 }, seconds: 0.1 } as const
    const reports: Promise<unknown>[] = []
    for (let index = 0; index < 51; index++) {
      reports.push(announce(`Alarm ${index}.`, { ...settings, priority: 'alarm' }))
      await seconds(1)
    }
    expect(await reports[0]).toMatchObject({
      status: 'not said',
      reason: 'too many waiting',
      times: 1,
      acknowledged: false,
    })
    expect(announcer.acknowledge()).toBe(50)
  })

  it('is said on the speaker that a deploy has put in the place of its own', async () => {
    const { announcer, announce, kitchen } = useAnnouncer()
    const replaced = createFakeSpeaker('kitchen')
    let current = kitchen
    announce('Fire.', {
      repeat: untilAcknowledged,
      priority: 'alarm',
      findSpeakers: () => [current],
    })
    await seconds(5)
    kitchen.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'The speaker was closed')
    current = replaced
    await seconds(10)
    announcer.acknowledge()
    expect(textsOn(replaced)).toEqual(['Fire.'])
  })

  it('fails when its speaker no longer exists', async () => {
    const { announce, kitchen } = useAnnouncer()
    const findSpeakers = () => {
      if (kitchen.failure) throw new Error('No speaker has this name')
      return [kitchen]
    }
    const settings = { repeat: untilAcknowledged, priority: 'alarm', findSpeakers } as const
    const report = announce('Fire.', settings).catch((error) => error)
    await seconds(5)
    kitchen.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'The speaker was closed')
    await seconds(10)
    expect(await report).toMatchObject({ message: 'No speaker has this name' })
  })

  it('ends when a newer one has its topic', async () => {
    const { announce, texts } = useAnnouncer()
    const waits = announce('A leak.', { repeat, topic: 'water' })
    await seconds(3)
    announce('No leak any more.', { topic: 'water', seconds: 20 })
    expect(await waits).toMatchObject({ status: 'said', times: 1 })
    await seconds(60)
    expect(texts()).toEqual(['A leak.', 'No leak any more.'])
  })

  it('does not let two long alarms cut each other for ever', async () => {
    const { announcer, announce, texts } = useAnnouncer()
    announce('A', { repeat: untilAcknowledged, priority: 'alarm', seconds: 15 })
    announce('B', { repeat: untilAcknowledged, priority: 'alarm', seconds: 15 })
    await seconds(100)
    announcer.acknowledge()
    expect(texts().slice(0, 6)).toEqual(['A...', 'B', 'A', 'B', 'A', 'B'])
  })
})

describe('an announcement that is postponed', () => {
  const untilAcknowledged = { times: Infinity, everySeconds: 10, untilAcknowledged: true }

  it('is silent at once, and repeats again after ten minutes', async () => {
    const { announcer, announce, kitchen, states, pendingAlarms } = useAnnouncer()
    const report = announce('Fire.', { repeat: untilAcknowledged, topic: 'fire' })
    await seconds(11)
    expect(announcer.postpone('another topic')).toBe(0)
    expect(announcer.postpone('fire')).toBe(1)
    await seconds(599)
    expect(textsOn(kitchen)).toEqual(['Fire.', 'Fire....'])
    expect(states.at(-1)).toBe('Fire.: postponed')
    await seconds(15)
    expect(textsOn(kitchen)).toEqual(['Fire.', 'Fire....', 'Fire.', 'Fire.'])
    expect(pendingAlarms).toEqual(Array(3).fill(['1 Fire. kitchen']))
    announcer.acknowledge()
    expect(await report).toMatchObject({ acknowledged: true, times: 3 })
  })

  it('is said once more if it does not repeat, and can be acknowledged before', async () => {
    const { announcer, announce, texts, pendingAlarms } = useAnnouncer()
    const first = announce('The washing is done.', { seconds: 5 })
    await seconds(1)
    announcer.postpone()
    await seconds(1)
    expect(pendingAlarms).toEqual([['1 The washing is done. kitchen']])
    await seconds(610)
    expect(await first).toMatchObject({ status: 'said', times: 1 })
    expect(pendingAlarms.at(-1)).toEqual([])
    const second = announce('It rains.')
    await seconds(1)
    announcer.postpone()
    await seconds(1)
    expect(announcer.acknowledge(undefined, '2')).toBe(1)
    expect(await second).toMatchObject({ status: 'said', times: 1 })
    expect(texts()).toEqual(['The washing is done....', 'The washing is done.', 'It rains....'])
  })

  it('is first said if nobody has heard it, unless it is named', async () => {
    const { announcer, announce, texts } = useAnnouncer()
    announce('Plays.', { priority: 'alarm' })
    announce('Fire.', { repeat: untilAcknowledged, priority: 'alarm' })
    announce('Water.', { repeat: untilAcknowledged, priority: 'alarm' })
    expect(announcer.postpone(undefined, '3')).toBe(1)
    announcer.postpone()
    await seconds(9)
    expect(texts()).toEqual(['Fire.'])
    announcer.acknowledge()
  })

  it('is neither music nor a part of a sequence', async () => {
    const { announcer, announce } = useAnnouncer()
    announce('Music.', { isMusic: true })
    await seconds(1)
    expect(announcer.postpone()).toBe(0)
    await seconds(2)
    announce('A sentence.', { sequenceId: 'answer' })
    await seconds(1)
    expect(announcer.postpone()).toBe(0)
    await seconds(5)
  })

  it('is said again at its time after a restart', async () => {
    const { announcer, announce, texts, states } = useAnnouncer()
    announce('Fire.', { repeat: untilAcknowledged, againAt: Date.now() + 300_000 })
    expect(states).toEqual(['Fire.: postponed'])
    await seconds(299)
    expect(texts()).toEqual([])
    await seconds(4)
    expect(texts()).toEqual(['Fire.'])
    announcer.acknowledge()
  })

  it('makes room for newer ones: only 50 wait', async () => {
    const { announcer, announce } = useAnnouncer()
    const first = announce('0', { againAt: Date.now() + 300_000 })
    for (let index = 1; index <= 50; index++)
      announce(`${index}`, { againAt: Date.now() + 300_000 })
    expect(await first).toMatchObject({ status: 'not said', reason: 'too many waiting' })
    announcer.acknowledge()
  })
})
