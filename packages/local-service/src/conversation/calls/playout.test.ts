import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Playout } from './playout.ts'

const frameBytes = 960
/** Sound whose bytes are not 0. */
const sound = (ms: number) => new Uint8Array(ms * 48).fill(1)

/** A playout whose time passes when it waits. @param delays by which waits are late, by their number. */
function open(delays: Record<number, number> = {}) {
  let nowMs = 1000
  let waits = 0
  const sent: string[] = []
  const stopping = new AbortController()
  const playout = new Playout({
    signal: stopping.signal,
    clock: {
      now: () => nowMs,
      async wait(ms, signal) {
        await setImmediate()
        signal.throwIfAborted()
        nowMs += ms + (delays[waits++] ?? 0)
      },
    },
    send(frame, positionMs) {
      expect(frame).toHaveLength(frameBytes)
      sent.push(`${positionMs} ${frame.filter((byte) => byte !== 0).length}`)
    },
    onEmpty: () => sent.push('empty'),
  })
  return {
    playout,
    /** What was sent so far: the positions and the bytes with sound. */
    async take(): Promise<string[]> {
      for (let turn = 0; turn < 100; turn++) await setImmediate()
      return sent.splice(0)
    },
    pass(ms: number) {
      nowMs += ms
    },
    stop: () => stopping.abort(),
  }
}

/** @returns the five silent frames that follow sound. */
const silenceFrom = (startMs: number) => [0, 20, 40, 60, 80].map((ms) => `${startMs + ms} 0`)

describe('a playout', () => {
  it('sends frames of 20 ms, and some silence after the last one', async () => {
    const { playout, take } = open()
    playout.push(sound(30))
    playout.push(sound(30))
    expect(await take()).toEqual(['0 960', '20 960', '40 960', 'empty', ...silenceFrom(60)])
    expect(playout.isEmpty).toBe(true)
  })

  it('sends a part of a frame only when the sound is complete', async () => {
    const { playout, take } = open()
    playout.push(sound(30))
    expect(await take()).toEqual(['0 960', ...silenceFrom(20)])
    expect(playout.isEmpty).toBe(false)
    playout.end()
    expect(await take()).toEqual(['120 480', 'empty', ...silenceFrom(140)])
  })

  it('continues at the position that the clock shows', async () => {
    const { playout, take, pass } = open()
    playout.push(sound(20))
    await take()
    pass(1007)
    playout.push(sound(20))
    expect(await take()).toEqual(['1120 960', 'empty', ...silenceFrom(1140)])
  })

  it('holds the sound back during a pause, and drops what is cleared', async () => {
    const { playout, take } = open()
    playout.pause()
    playout.push(sound(40))
    expect(await take()).toEqual(silenceFrom(0))
    playout.resume()
    expect(await take()).toEqual(['100 960', '120 960', 'empty', ...silenceFrom(140)])
    playout.pause()
    playout.push(sound(40))
    await take()
    playout.clear()
    playout.resume()
    expect(await take()).toEqual([])
  })

  it('catches up after a short delay, and leaves out the time of a long one', async () => {
    const { playout, take } = open({ 0: 50, 3: 1000 })
    playout.push(sound(120))
    const positions = ['0', '20', '40', '60', '1080', '1100'].map((at) => `${at} 960`)
    expect((await take()).slice(0, 6)).toEqual(positions)
  })

  it('ends with its signal', async () => {
    const { playout, take, stop } = open()
    playout.push(sound(40))
    stop()
    expect(await take()).toEqual(['0 960'])
  })
})
