import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFollowUp } from './follow-up.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the time to listen after a response', () => {
  it.each([
    ['The light is on.', 2000],
    ['Which room? ', 4000],
    ['どの部屋ですか？', 4000],
  ])('begins when the response has been played: %s', (text, delayMs) => {
    const onOver = vi.fn()
    createFollowUp(onOver).responded(text, 1500)
    vi.advanceTimersByTime(1500 + delayMs - 1)
    expect(onOver).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onOver).toHaveBeenCalledTimes(1)
  })

  it('does not end while somebody speaks', () => {
    const onOver = vi.fn()
    const followUp = createFollowUp(onOver)
    followUp.begin()
    followUp.cancel()
    vi.advanceTimersByTime(60_000)
    expect(onOver).not.toHaveBeenCalled()
  })

  it('does not begin while somebody records, also if a response ends meanwhile', () => {
    const onOver = vi.fn()
    const followUp = createFollowUp(onOver)
    followUp.recordingBegan()
    followUp.responded('The light is on.', 0)
    followUp.renew(0)
    vi.advanceTimersByTime(60_000)
    followUp.recordingEnded()
    vi.advanceTimersByTime(60_000)
    expect(onOver).not.toHaveBeenCalled()
    followUp.responded('The light is off.', 0)
    vi.advanceTimersByTime(2000)
    expect(onOver).toHaveBeenCalledTimes(1)
  })

  it('begins again after a noise', () => {
    const onOver = vi.fn()
    const followUp = createFollowUp(onOver)
    followUp.responded('Which room?', 0)
    followUp.cancel()
    vi.advanceTimersByTime(60_000)
    followUp.renew(500)
    vi.advanceTimersByTime(500 + 3999)
    expect(onOver).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onOver).toHaveBeenCalledTimes(1)
  })

  it('has no end if the form says so', () => {
    const followUp = createFollowUp(undefined)
    followUp.responded('Goodbye.', 0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
