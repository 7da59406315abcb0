import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Playout } from './playout.ts'

const frameBytes = 960
/** Sound whose bytes are not 0. */
const sound = (ms: number) => new Uint8Array(ms * 48).fill(1)

interface Waits {
  /** How late the waits are, by their number. */
  delays?: Record<number, number>
  /** Happens during waits, by their number. */
  meanwhile?: Record<number, (playout: Playout) => void>
}

/** A playout whose time passes when it waits. */
function open({ delays = {}, meanwhile = {} }: Waits = {}) {
  let nowMs = 1000
  let waits = 0
  const sent: string[] = []
  const stopping = new AbortController()
  const playout: Playout = new Playout({
    signal: stopping.signal,
    clock: {
      now: () => nowMs,
      async wait(ms, signal) {
        await setImmediate()
        signal.throwIfAborted()
        meanwhile[waits]?.(playout)
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

  // Five silent frames follow the first one: the last wait has the number 5.
  it.each<[string, (playout: Playout) => void, string[]]>([
    ['more sound', (playout) => playout.push(sound(10)), ['120 960', 'empty']],
    ['the end of the sound', (playout) => playout.end(), ['120 480', 'empty']],
  ])(
    'goes on with %s that arrives while it waits after the last silent frame',
    async (_what, act, rest) => {
      const { playout, take } = open({ meanwhile: { 5: act } })
      playout.push(sound(30))
      expect(await take()).toEqual(['0 960', ...silenceFrom(20), ...rest, ...silenceFrom(140)])
    },
  )

  it('goes on when a pause ends while it waits after the last silent frame', async () => {
    const { playout, take } = open({ meanwhile: { 4: (paused) => paused.resume() } })
    playout.pause()
    playout.push(sound(20))
    expect(await take()).toEqual([...silenceFrom(0), '100 960', 'empty', ...silenceFrom(120)])
  })

  it('stays silent when sound arrives in a pause, while it waits after the last silent frame', async () => {
    const { playout, take } = open({ meanwhile: { 4: (paused) => paused.push(sound(20)) } })
    playout.pause()
    playout.push(sound(20))
    expect(await take()).toEqual(silenceFrom(0))
  })

  it('catches up after a short delay, and leaves out the time of a long one', async () => {
    const { playout, take } = open({ delays: { 0: 50, 3: 1000 } })
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
