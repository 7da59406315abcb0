import { createFakeSpeaker } from '@parlando/test-support/node-red/fake-speaker'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSound, soundOf } from '../sounds/sound.ts'
import type { Announcement } from './announcement.ts'
import { createAnnouncer } from './announcer.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An announcer with one loudspeaker, and a function that announces a text of some seconds. */
function useAnnouncer(kitchen = createFakeSpeaker('kitchen')) {
  const announcer = createAnnouncer()
  const states: string[] = []
  let count = 0
  const announce = (
    text: string,
    {
      seconds = 2,
      signal = new AbortController().signal,
      ...changes
    }: Partial<Announcement> & { seconds?: number; signal?: AbortSignal } = {},
  ) =>
    announcer.announce(
      {
        id: `${++count}`,
        speakers: [kitchen],
        priority: 'normal',
        text,
        hasChime: false,
        makeSound: ({ format }) => soundOf(format, new Uint8Array(48_000 * seconds)),
        handOut() {},
        ...changes,
      },
      { signal, onStateChange: (state) => void states.push(`${text}: ${state}`) },
    )
  const texts = () => kitchen.played.map(({ text, isWhole }) => (isWhole ? text : `${text}…`))
  return { announcer, announce, kitchen, states, texts }
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

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

  it('waits for the one before', async () => {
    const { announce, kitchen, states } = useAnnouncer()
    announce('One.')
    const second = announce('Two.')
    await seconds(4)
    expect(await second).toMatchObject({ status: 'said', waitedMs: 2000 })
    const [one, two] = kitchen.played
    expect(two!.startedAt).toBeGreaterThanOrEqual(one!.endedAt!)
    expect(states).toEqual(['Two.: waiting', 'One.: saying', 'Two.: saying'])
  })

  it('fails with the error of its sound', async () => {
    const { announce } = useAnnouncer()
    const report = announce('Too late.', {
      makeSound({ format }) {
        const sound = createSound(format)
        setTimeout(() => sound.fail(new Error('the service is gone')), 1000)
        return sound
      },
    })
    const failed = expect(report).rejects.toThrow('the service is gone')
    await seconds(1)
    await failed
  })
})
