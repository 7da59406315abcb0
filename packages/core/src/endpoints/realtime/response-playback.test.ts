import { describe, expect, it } from 'vitest'
import { ResponsePlayback } from './response-playback.ts'

function start() {
  const clock = { nowMs: 1000 }
  const playback = new ResponsePlayback(() => clock.nowMs)
  const add = (itemId: string, durationMs: number) =>
    playback.add({ itemId, contentIndex: 0, durationMs })
  return { clock, playback, add }
}

describe('playback', () => {
  it('has heard what was played by the clock', () => {
    const { clock, playback, add } = start()
    add('a', 300)
    add('a', 300)
    clock.nowMs += 250
    expect(playback.remainingMs).toBe(350)
    const unheard = { itemId: 'a', contentIndex: 0, receivedMs: 600, heardMs: 250 }
    expect(playback.stop()).toEqual([unheard])
    expect(playback.remainingMs).toBe(0)
  })

  it('does not count the time without speech as heard', () => {
    const { clock, playback, add } = start()
    add('a', 100)
    clock.nowMs += 1000
    add('a', 200)
    clock.nowMs += 50
    expect(playback.stop()).toMatchObject([{ heardMs: 150, receivedMs: 300 }])
  })

  it('plays items in order', () => {
    const { clock, playback, add } = start()
    add('a', 100)
    add('b', 200)
    add('c', 300)
    clock.nowMs += 150
    expect(playback.stop()).toMatchObject([
      { itemId: 'b', heardMs: 50 },
      { itemId: 'c', heardMs: 0 },
    ])
  })

  it('has nothing unheard after the end', () => {
    const { clock, playback, add } = start()
    add('a', 100)
    clock.nowMs += 100
    expect(playback.stop()).toEqual([])
  })

  it('follows the reports of a player', () => {
    const { clock, playback, add } = start()
    add('a', 1000)
    clock.nowMs += 500
    // The player needed a while to begin.
    playback.report('a', 100)
    clock.nowMs += 50
    expect(playback.stop()).toMatchObject([{ itemId: 'a', heardMs: 150 }])
  })
})
