import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  notSaid,
  said,
  seconds,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it, vi } from 'vitest'
import { createSound } from '../sounds/sound.ts'

useFakeClock()

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

  it('counts as said when a flow confirms it before a player has fetched it', async () => {
    const kitchen = createFakeSpeaker('kitchen')
    kitchen.driver.play = async () => ({ confirmedBy: 'player' })
    const { announce, states } = useAnnouncer(kitchen)
    const report = announce('Fire!')
    await seconds(1)
    expect(await report).toMatchObject({ status: 'said', times: 1 })
    expect(states).toEqual(['Fire!: saying'])
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

  it('is said at its volume, but no louder than the speaker allows', async () => {
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

  it('fails when its sound is broken, also if the speaker takes that for a normal end', async () => {
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

  it('fails when its speaker does not react to an abort at the limit, and the next one is said', async () => {
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

  it('leaves no timer behind when all of them are stopped', async () => {
    const { announce } = useAnnouncer()
    const stop = new AbortController()
    const [plays, waits] = ['One.', 'Two.'].map((text) => announce(text, { signal: stop.signal }))
    await seconds(1)
    stop.abort()
    expect(await Promise.all([plays, waits])).toEqual([notSaid('stopped'), notSaid('stopped')])
    expect(vi.getTimerCount()).toBe(0)
  })
})
