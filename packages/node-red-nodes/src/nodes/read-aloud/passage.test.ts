import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PassageClock } from './passage.ts'

describe('the clock of a passage', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('reports each sentence once, also if another speaker begins later', () => {
    const heard: number[] = []
    const clock = new PassageClock({ from: 4, to: 6 }, (index) => heard.push(index))
    clock.noteBegin(4, 0)
    clock.noteHeard(0)
    expect(heard).toEqual([4])
    clock.noteBegin(5, 1)
    vi.advanceTimersByTime(1_000)
    clock.noteHeard(0)
    expect(heard).toEqual([4, 5])
    clock.stop()
  })

  it('reports nothing after its end', () => {
    const heard: number[] = []
    const clock = new PassageClock({ from: 0, to: 2 }, (index) => heard.push(index))
    clock.stop()
    clock.noteHeard(0)
    expect(heard).toEqual([])
  })
})
