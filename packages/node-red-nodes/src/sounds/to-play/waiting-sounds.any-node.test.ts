import { describe, expect, it, vi } from 'vitest'
import type { SoundMessage } from '../chunk-sequences.ts'
import { soundOf } from '../sound.ts'
import { SoundCollector } from './sound-collector.ts'
import { createWaitingSounds, untilWanted } from './waiting-sounds.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const tenMebibytes = () => soundOf(format, new Uint8Array(10 * 1024 * 1024))
const noAbort = new AbortController().signal

const chunk = (id: string, index: number) =>
  ({
    _msgid: '1',
    payload: Buffer.alloc(480),
    audio: { encoding: 'PCM', sampleRateHertz: 24_000 },
    parts: { id, index, parts: { id: 'answer', index: 0 } },
  }) as unknown as SoundMessage

describe('the sounds that wait at a node', () => {
  it('let the maker of a sequence wait while there are more than 16 MiB', async () => {
    vi.useFakeTimers()
    try {
      const waiting = createWaitingSounds()
      const sounds = [tenMebibytes(), tenMebibytes()]
      for (const sound of sounds) waiting.add(sound)
      await untilWanted('sentence', noAbort)
      waiting.follow(chunk('sentence', 0).parts)
      const goesOn = vi.fn()
      const makers = ['sentence', 'answer'].map((id) => untilWanted(id, noAbort).then(goesOn))
      await vi.advanceTimersByTimeAsync(60_000)
      expect(goesOn).not.toHaveBeenCalled()
      waiting.remove(sounds[0]!)
      await vi.advanceTimersByTimeAsync(250)
      await Promise.all(makers)
    } finally {
      vi.useRealTimers()
    }
  })

  it('let it wait no longer than its signal says', async () => {
    const waiting = createWaitingSounds()
    for (const sound of [tenMebibytes(), tenMebibytes()]) waiting.add(sound)
    waiting.follow(chunk('stopped', 0).parts)
    const controller = new AbortController()
    const wait = untilWanted('stopped', controller.signal)
    controller.abort(new Error('stopped'))
    await expect(wait).rejects.toThrow('stopped')
  })

  it('are not overdue while their maker waits, and take no more than 64 MiB', async () => {
    vi.useFakeTimers()
    try {
      const RED = { _: (key: string) => key }
      const waiting = { isPaused: true, isFull: false }
      const collector = new SoundCollector(RED, waiting)
      const { sound } = collector.take(chunk('speech', 0))!
      await vi.advanceTimersByTimeAsync(600_000)
      expect(collector.take(chunk('speech', 1))).toMatchObject({ sound })
      waiting.isFull = true
      // The first message of the sound reports the error.
      expect(collector.take(chunk('speech', 2))).toBeUndefined()
      await expect(sound.completed).rejects.toMatchObject({ code: 'OUT_OF_RANGE' })
      expect(() => collector.take(chunk('next', 0))).toThrow('too-much-waiting')
    } finally {
      vi.useRealTimers()
    }
  })
})
