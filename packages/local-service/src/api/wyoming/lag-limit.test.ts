import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLagLimit, maxLagMs } from './lag-limit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

describe('the limit of a recorder', () => {
  it('is exceeded when it stops without a word', () => {
    const exceeded = vi.fn()
    createLagLimit(exceeded).wait(2000)
    vi.advanceTimersByTime(maxLagMs + 1999)
    expect(exceeded).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(exceeded).toHaveBeenCalledOnce()
  })

  it('is exceeded when it sends a sample now and then, but not when it records', () => {
    const exceeded = vi.fn()
    const record = (pauseMs: number, pieceMs: number) => {
      const lag = createLagLimit(exceeded)
      for (let soundMs = 0; soundMs < 10 * pieceMs; soundMs += pieceMs) {
        lag.wait(soundMs)
        vi.advanceTimersByTime(pauseMs)
        lag.stop()
      }
    }
    record(20_000, 20_000)
    expect(exceeded).not.toHaveBeenCalled()
    record(20_000, 1)
    expect(exceeded).toHaveBeenCalled()
  })

  it('does not count the time in which the service works', () => {
    const exceeded = vi.fn()
    const lag = createLagLimit(exceeded)
    lag.wait(0)
    lag.stop()
    vi.advanceTimersByTime(2 * maxLagMs)
    expect(exceeded).not.toHaveBeenCalled()
  })
})
