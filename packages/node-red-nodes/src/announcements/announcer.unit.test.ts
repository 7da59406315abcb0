import { createFakeSpeaker } from '@parlando/test-support/node-red/fake-speaker'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSound, soundOf } from '../sounds/sound.ts'
import { SpeakerError } from '../speakers/speaker-error.ts'
import type { Announcement, Priority } from './announcement.ts'
import { createAnnouncer } from './announcer.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00') })
})
afterEach(() => {
  vi.useRealTimers()
})

type Changes = Partial<Announcement> & { seconds?: number; signal?: AbortSignal }

/** An announcer with a loudspeaker, and a function that announces a text of some seconds there. */
function useAnnouncer(kitchen = createFakeSpeaker('kitchen')) {
  const announcer = createAnnouncer()
  const states: string[] = []
  let count = 0
  const announce = (text: string, changes: Changes = {}) => {
    const { seconds = 2, signal = new AbortController().signal, ...own } = changes
    const announcement: Announcement = {
      id: `${++count}`,
      speakers: [kitchen],
      priority: 'normal',
      text,
      hasChime: false,
      makeSound: ({ format }) => soundOf(format, new Uint8Array(48_000 * seconds)),
      addressOutput: { check() {}, send() {} },
      ...own,
    }
    const onStateChange = (state: string) => void states.push(`${text}: ${state}`)
    return announcer.announce(announcement, { signal, onStateChange })
  }
  return { announcer, announce, kitchen, states, texts: () => textsOn(kitchen) }
}

/** What a loudspeaker has played, in order; a text that was cut ends with three dots. */
function textsOn({ played }: ReturnType<typeof createFakeSpeaker>) {
  return played.map(({ text, isWhole }) => (isWhole ? text : `${text}...`))
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
const said = expect.objectContaining({ status: 'said' })
const notSaid = (reason: string) => expect.objectContaining({ status: 'not said', reason })

describe('an announcement', () => {
  it('is said when it was heard to its end, with the facts about it', async () => {
    const { announce, states } = useAnnouncer()
    const report = announce('Dinner is ready.', { topic: 'dinner' })
    await seconds(2)
    expect(await report).toEqual({
      id: '1',
      status: 'said',
      priority: 'normal',
      topic: 'dinner',
      durationSeconds: 2,
      waitedMs: 0,
      firstSoundMs: 0,
      times: 1,
      speakers: [
        {
          name: 'kitchen',
          status: 'said',
          startedAt: new Date('2026-11-22T12:00:00').toISOString(),
          finishedAt: new Date('2026-11-22T12:00:02').toISOString(),
          confirmedBy: 'player',
        },
      ],
    })
    expect(states).toEqual(['Dinner is ready.: saying'])
  })

  it('waits for those of its priority that came before', async () => {
    const { announce, kitchen, states } = useAnnouncer()
    announce('One.')
    const second = announce('Two.')
    await seconds(4)
    expect(await second).toMatchObject({ status: 'said', waitedMs: 2000 })
    const [one, two] = kitchen.played
    expect(two!.startedAt).toBeGreaterThanOrEqual(one!.endedAt!)
    expect(states).toEqual(['Two.: waiting', 'One.: saying', 'Two.: saying'])
  })

  it('is said at its volume, but no louder than the loudspeaker allows', async () => {
    const { announce, kitchen } = useAnnouncer(
      createFakeSpeaker('kitchen', { volume: 30, maxVolume: 60 }),
    )
    announce('As usual.')
    announce('Softly.', { volume: 10 })
    announce('Loudly.', { volume: 90 })
    await seconds(6)
    expect(kitchen.played.map(({ volume }) => volume)).toEqual([30, 10, 60])
  })

  it('fails with the error of its sound', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Never made.', {
      makeSound({ format }) {
        const sound = createSound(format)
        setTimeout(() => sound.fail(new Error('the service is gone')), 1000)
        return sound
      },
    })
    const failed = expect(report).rejects.toThrow('the service is gone')
    const next = announce('The next one.')
    await seconds(3)
    await failed
    expect(await next).toEqual(said)
    expect(texts()).toEqual(['Never made....', 'The next one.'])
  })

  it('fails when its sound is broken, also if the loudspeaker takes that for a normal end', async () => {
    const { announce, kitchen } = useAnnouncer()
    kitchen.driver.play = async (sound) => {
      await sound.completed.catch(() => {})
      return { confirmedBy: 'player' }
    }
    const report = announce('Half of it.', {
      makeSound({ format }) {
        const sound = createSound(format)
        sound.append(new Uint8Array(48_000))
        sound.fail(new Error('the connection broke'))
        return sound
      },
    })
    await expect(report).rejects.toThrow('the connection broke')
  })

  it('fails when its loudspeaker does not react to an abort at the limit, and the next one is said', async () => {
    const { announce, kitchen, texts } = useAnnouncer()
    const { play } = kitchen.driver
    kitchen.driver.play = () => new Promise(() => {})
    const report = announce('Nobody plays it.')
    const failed = expect(report).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    const next = announce('The next one.')
    await seconds(1)
    kitchen.driver.play = play
    await seconds(200)
    await failed
    expect(await next).toEqual(said)
    expect(texts()).toEqual(['The next one.'])
  })

  it('that is stopped while it waits is not said', async () => {
    const { announce, texts } = useAnnouncer()
    const stop = new AbortController()
    announce('One.')
    const second = announce('Two.', { signal: stop.signal })
    stop.abort()
    expect(await second).toEqual(notSaid('stopped'))
    await seconds(4)
    expect(texts()).toEqual(['One.'])
  })

  it('that is stopped while it plays is silent at once', async () => {
    const { announce, texts } = useAnnouncer()
    const stop = new AbortController()
    const report = announce('One.', { signal: stop.signal })
    await seconds(1)
    stop.abort()
    expect(await report).toEqual(notSaid('stopped'))
    expect(texts()).toEqual(['One....'])
  })

  it('that is stopped before it arrives is not said', async () => {
    const { announce, texts } = useAnnouncer()
    expect(await announce('One.', { signal: AbortSignal.abort() })).toEqual(notSaid('stopped'))
    expect(texts()).toEqual([])
  })

  it('is not said after the announcer was closed', async () => {
    const { announcer, announce } = useAnnouncer()
    const [plays, waits] = [announce('One.'), announce('Two.')]
    await seconds(1)
    await announcer.close()
    expect(await Promise.all([plays, waits, announce('Three.')])).toEqual([
      notSaid('stopped'),
      notSaid('stopped'),
      notSaid('stopped'),
    ])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the priority of an announcement', () => {
  it.each<[Priority, Priority]>([
    ['normal', 'info'],
    ['urgent', 'normal'],
    ['alarm', 'urgent'],
  ])('lets %s cut %s at once', async (higher, lower) => {
    const { announce, texts } = useAnnouncer()
    announce('Lower.', { priority: lower, seconds: 10 })
    await seconds(1)
    const report = announce('Higher.', { priority: higher })
    await seconds(2)
    expect(await report).toEqual(said)
    expect(texts().slice(0, 2)).toEqual(['Lower....', 'Higher.'])
  })

  it('puts the important ones first in the queue', async () => {
    const { announce, texts } = useAnnouncer()
    announce('Plays.', { priority: 'alarm' })
    for (const priority of ['info', 'urgent', 'normal', 'urgent'] as const) {
      announce(priority, { priority })
    }
    await seconds(20)
    expect(texts()).toEqual(['Plays.', 'urgent', 'urgent', 'normal', 'info'])
  })

  it.each(['normal', 'urgent'] as const)(
    '%s that was cut is said again whole, once',
    async (priority) => {
      const { announce, texts } = useAnnouncer()
      const report = announce('Long.', { priority, seconds: 10 })
      for (const text of ['One.', 'Two.']) {
        await seconds(4)
        announce(text, { priority: 'alarm' })
      }
      await seconds(20)
      expect(await report).toEqual(notSaid('interrupted'))
      expect(texts()).toEqual(['Long....', 'One.', 'Long....', 'Two.'])
    },
  )

  it('lets one that was cut be said again before those that came after it', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Long.', { seconds: 10 })
    announce('Later.')
    await seconds(1)
    announce('Alarm.', { priority: 'alarm' })
    await seconds(20)
    expect(await report).toMatchObject({ status: 'said', times: 1 })
    expect(texts()).toEqual(['Long....', 'Alarm.', 'Long.', 'Later.'])
  })

  it('does not let one that was cut be said again after it has expired', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Long.', { expiresInMs: 5000, seconds: 10 })
    await seconds(4)
    announce('Alarm.', { priority: 'alarm' })
    await seconds(20)
    expect(await report).toEqual(notSaid('expired'))
    expect(texts()).toEqual(['Long....', 'Alarm.'])
  })

  it('info that was cut is not said again', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Info.', { priority: 'info' })
    await seconds(1)
    announce('Normal.')
    await seconds(10)
    expect(await report).toEqual(notSaid('interrupted'))
    expect(texts()).toEqual(['Info....', 'Normal.'])
  })

  it('lets an alarm cut an alarm after 10 seconds, and lets that be said whole afterwards', async () => {
    const { announce, kitchen, texts } = useAnnouncer()
    const first = announce('First.', { priority: 'alarm', seconds: 30 })
    await seconds(1)
    const second = announce('Second.', { priority: 'alarm', seconds: 15 })
    await seconds(60)
    expect(await Promise.all([first, second])).toEqual([said, said])
    expect(texts()).toEqual(['First....', 'Second.', 'First.'])
    expect(kitchen.played[1]!.startedAt - kitchen.played[0]!.startedAt).toBe(10_000)
  })
})

describe('the queue of a loudspeaker', () => {
  it.each<[Priority, number]>([
    ['info', 60],
    ['normal', 300],
    ['urgent', 300],
  ])('drops %s that has waited for %i seconds', async (priority, limit) => {
    const { announce } = useAnnouncer()
    const isOver = vi.fn()
    // No sound is that long, so alarms follow each other.
    for (let alarm = 0; alarm < 4; alarm++) {
      announce(`Alarm ${alarm}.`, { priority: 'alarm', seconds: 119, topic: `${alarm}` })
    }
    const report = announce('Waits.', { priority })
    report.then(isOver)
    await seconds(limit - 1)
    expect(isOver).not.toHaveBeenCalled()
    await seconds(2)
    expect(await report).toEqual(notSaid('expired'))
  })

  it('never drops an alarm that waits', async () => {
    const { announce, texts } = useAnnouncer()
    for (let alarm = 1; alarm <= 9; alarm++) {
      announce(`Alarm ${alarm}.`, { priority: 'alarm', seconds: 100 })
    }
    await seconds(1000)
    const whole = texts().filter((text) => !text?.endsWith('...'))
    expect(whole.sort()).toEqual(Array.from({ length: 9 }, (_, index) => `Alarm ${index + 1}.`))
  })

  it('holds 20 announcements, and drops the oldest of the lowest priority', async () => {
    const { announce } = useAnnouncer()
    announce('Plays.', { priority: 'alarm' })
    const reports = ['normal', 'info', 'info', ...Array<Priority>(17).fill('urgent')].map(
      (priority, index) => announce(`${index}`, { priority: priority as Priority }),
    )
    const dropped: number[] = []
    for (const [index, report] of reports.entries()) {
      report.then(({ reason }) => reason === 'too many waiting' && dropped.push(index))
    }
    for (const text of ['a', 'b', 'c', 'd']) {
      announce(text, { priority: 'urgent' })
      await seconds(0)
    }
    expect(dropped).toEqual([1, 2, 0, 3])
  })

  it('survives 10,000 announcements in a second, and gives a reason for each that is not said', async () => {
    const { announce, texts } = useAnnouncer()
    const reports = Array.from({ length: 10_000 }, (_, index) => announce(`${index}`))
    await seconds(60)
    const ends = await Promise.all(reports)
    expect(ends.filter(({ status }) => status === 'said')).toHaveLength(21)
    expect(ends.filter(({ reason }) => reason === 'too many waiting')).toHaveLength(9979)
    expect(texts()[0]).toBe('0')
    expect(texts().slice(1)).toEqual(Array.from({ length: 20 }, (_, index) => `${9980 + index}`))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the topic of an announcement', () => {
  it('lets a newer one replace one that waits, in its place', async () => {
    const { announce, texts } = useAnnouncer()
    announce('Plays.')
    const old = announce('20 degrees.', { topic: 'weather' })
    announce('Something else.')
    const news = announce('21 degrees.', { topic: 'weather' })
    expect(await old).toEqual(notSaid('replaced'))
    await seconds(10)
    expect(await news).toEqual(said)
    expect(texts()).toEqual(['Plays.', '21 degrees.', 'Something else.'])
  })

  it('does not replace an announcement that plays', async () => {
    const { announce, texts } = useAnnouncer()
    announce('20 degrees.', { topic: 'weather' })
    announce('21 degrees.', { topic: 'weather' })
    await seconds(10)
    expect(texts()).toEqual(['20 degrees.', '21 degrees.'])
  })

  it('replaces only where the newer one is said, too', async () => {
    const { announce, kitchen } = useAnnouncer()
    const bedroom = createFakeSpeaker('bedroom')
    announce('Plays.')
    const both = announce('20 degrees.', { topic: 'weather', speakers: [kitchen, bedroom] })
    announce('21 degrees.', { topic: 'weather' })
    await seconds(10)
    expect(await both).toEqual(said)
  })

  it('keeps the same text from being said twice within 10 seconds', async () => {
    const { announce, texts } = useAnnouncer()
    const ring = () => announce('The doorbell.', { topic: 'door' })
    ring()
    await seconds(5)
    expect(await ring()).toEqual(notSaid('repeated'))
    announce('Another text.', { topic: 'door' })
    await seconds(5)
    ring()
    await seconds(10)
    expect(texts()).toEqual(['The doorbell.', 'Another text.', 'The doorbell.'])
  })

  it('allows the same text without a topic, elsewhere, or if it was not said after all', async () => {
    const { announce, texts } = useAnnouncer()
    const bedroom = createFakeSpeaker('bedroom')
    const stop = new AbortController()
    announce('No topic.')
    announce('No topic.')
    announce('Dinner.', { topic: 'dinner', signal: stop.signal })
    stop.abort()
    announce('Dinner.', { topic: 'dinner' })
    announce('Dinner.', { topic: 'dinner', speakers: [bedroom] })
    await seconds(10)
    expect(texts()).toEqual(['No topic.', 'No topic.', 'Dinner.'])
    expect(textsOn(bedroom)).toEqual(['Dinner.'])
  })
})

describe('an announcement on several loudspeakers', () => {
  const bedroom = () => createFakeSpeaker('bedroom')

  it('starts on all of them together, when all are free', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    announce('Long.', { seconds: 5 })
    announce('Everywhere.', { speakers: [kitchen, other] })
    await seconds(10)
    expect(other.played[0]!.startedAt).toBe(kitchen.played[1]!.startedAt)
    expect(kitchen.played[1]!.startedAt).toBe(kitchen.played[0]!.endedAt)
  })

  it('is not overtaken for ever by announcements on one of them', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    announce('Kitchen 1.')
    await seconds(1)
    announce('Bedroom 1.', { speakers: [other] })
    const report = announce('Everywhere.', { speakers: [kitchen, other] })
    announce('Kitchen 2.')
    announce('Bedroom 2.', { speakers: [other] })
    await seconds(10)
    expect(await report).toEqual(said)
    expect(textsOn(kitchen)).toEqual(['Kitchen 1.', 'Everywhere.', 'Kitchen 2.'])
    expect(textsOn(other)).toEqual(['Bedroom 1.', 'Everywhere.', 'Bedroom 2.'])
  })

  it('does not wait for announcements on others', async () => {
    const { announce } = useAnnouncer()
    const other = bedroom()
    announce('Kitchen.')
    announce('Bedroom.', { speakers: [other] })
    await seconds(0)
    expect(other.played).toHaveLength(1)
  })

  it('waits for another loudspeaker that plays on the same device', async () => {
    const { announce, kitchen } = useAnnouncer()
    const sameDevice = { ...createFakeSpeaker('radio'), devices: kitchen.devices }
    announce('Kitchen.')
    announce('Radio.', { speakers: [sameDevice] })
    await seconds(10)
    expect(sameDevice.played[0]!.startedAt).toBe(kitchen.played[0]!.endedAt)
  })

  it('makes one sound for those that need the same, and one for each other format and voice', async () => {
    const { announce, kitchen } = useAnnouncer()
    const speakers = [
      kitchen,
      bedroom(),
      createFakeSpeaker('hall', { voice: 'Ralph' }),
      createFakeSpeaker('tablet', {}, { audioEncoding: 'MP3', sampleRateHertz: 44_100 }),
    ]
    const makeSound = vi.fn<Announcement['makeSound']>(({ format }) =>
      soundOf(format, new Uint8Array(100)),
    )
    announce('Everywhere.', { speakers, makeSound })
    await seconds(1)
    expect(makeSound.mock.calls.map(([wanted]) => wanted)).toEqual([
      { format: { audioEncoding: 'PCM', sampleRateHertz: 24_000 }, voice: '', language: '' },
      { format: { audioEncoding: 'PCM', sampleRateHertz: 24_000 }, voice: 'Ralph', language: '' },
      { format: { audioEncoding: 'MP3', sampleRateHertz: 44_100 }, voice: '', language: '' },
    ])
  })

  it('is said if one of them plays it, and reports the error of the other', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    other.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'The bedroom does not respond')
    const report = announce('Everywhere.', { speakers: [other, kitchen] })
    await seconds(2)
    expect(await report).toMatchObject({
      status: 'said',
      speakers: [
        {
          name: 'bedroom',
          status: 'failed',
          error: { code: 'SPEAKER_NOT_REACHABLE', message: 'The bedroom does not respond' },
        },
        { name: 'kitchen', status: 'said' },
      ],
    })
  })

  it('fails with the error of the first if all of them fail', async () => {
    const { announce, kitchen } = useAnnouncer()
    const other = bedroom()
    kitchen.failure = new SpeakerError('NO_PLAYER', 'Install a player')
    other.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'The bedroom does not respond')
    const report = announce('Everywhere.', { speakers: [kitchen, other] })
    await expect(report).rejects.toMatchObject({ code: 'NO_PLAYER' })
  })
})

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

  it('leaves the loudspeaker to others in between', async () => {
    const { announce, texts } = useAnnouncer()
    announce('Again.', { repeat })
    await seconds(3)
    announce('In between.', { priority: 'info' })
    await seconds(30)
    expect(texts()).toEqual(['Again.', 'In between.', 'Again.', 'Again.'])
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

  it('does not end when its loudspeaker fails later', async () => {
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

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', minPriority: 'urgent' } as const
  const quietKitchen = (action: 'drop' | 'softly' | 'hold') =>
    createFakeSpeaker('kitchen', { quietHours: { ...night, action } })

  it.each<[Priority, boolean]>([
    ['info', false],
    ['normal', false],
    ['urgent', true],
    ['alarm', true],
  ])('with *drop*: %s is said: %s', async (priority, isSaid) => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce } = useAnnouncer(quietKitchen('drop'))
    const report = announce('At night.', { priority })
    await seconds(2)
    expect(await report).toEqual(isSaid ? said : notSaid('quiet hours'))
  })

  it('with *softly*: says it at a quarter of the volume', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce, kitchen } = useAnnouncer(quietKitchen('softly'))
    announce('At night.')
    await seconds(2)
    announce('At night.', { priority: 'urgent' })
    await seconds(2)
    expect(kitchen.played.map(({ volume }) => volume)).toEqual([20, 80])
  })

  it('with *hold*: says it when they end, and does not count that time', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce, kitchen } = useAnnouncer(quietKitchen('hold'))
    const report = announce('At night.', { priority: 'info' })
    await seconds(8 * 3600 - 1)
    expect(kitchen.played).toEqual([])
    await seconds(60)
    expect(await report).toEqual(said)
  })

  it('with *hold*: drops it when the time in the message is over', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce } = useAnnouncer(quietKitchen('hold'))
    const report = announce('At night.', { expiresInMs: 3_600_000 })
    await seconds(3601)
    expect(await report).toEqual(notSaid('expired'))
  })

  it('with *hold*: notices when somebody sets the clock', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce } = useAnnouncer(quietKitchen('hold'))
    const report = announce('At night.')
    await seconds(60)
    vi.setSystemTime(new Date('2026-11-23T12:00:00'))
    await seconds(60)
    expect(await report).toEqual(said)
  })

  it('of one loudspeaker leave the others', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce, kitchen } = useAnnouncer(quietKitchen('hold'))
    const hall = createFakeSpeaker('hall')
    const report = announce('At night.', { speakers: [kitchen, hall] })
    await seconds(2)
    expect(await report).toMatchObject({
      status: 'said',
      speakers: [
        { name: 'hall', status: 'said' },
        { name: 'kitchen', status: 'quiet hours' },
      ],
    })
    expect(kitchen.played).toEqual([])
  })

  it('apply to an announcement that waits when they begin', async () => {
    vi.setSystemTime(new Date('2026-11-22T21:59:59'))
    const { announce } = useAnnouncer(quietKitchen('drop'))
    const plays = announce('One.')
    const waits = announce('Two.')
    await seconds(4)
    expect(await Promise.all([plays, waits])).toEqual([said, notSaid('quiet hours')])
  })
})
