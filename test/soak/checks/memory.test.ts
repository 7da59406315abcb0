import { expect, it } from 'vitest'
import { figures, type Sample, slopeOf } from './memory.ts'

const mebibyte = 2 ** 20

/** An hour of samples. The heap starts at 50 MiB and is half of the RSS. */
function samples(heapMiB: (minute: number) => number): Sample[] {
  return Array.from({ length: 720 }, (_, index) => {
    const minute = index / 12
    const heapBytes = (50 + heapMiB(minute)) * mebibyte
    const rest = {
      codeBytes: 0,
      bufferBytes: 0,
      sockets: 0,
      children: 0,
      threads: 0,
      timers: 0,
      listeners: 0,
    }
    return { minute, usage: { heapBytes, rssBytes: 2 * heapBytes, ...rest } }
  })
}

it('a line has its slope; noise and a warm-up have none', () => {
  const noise = (minute: number) => Math.sin(minute * 1000)
  const growing = slopeOf(
    samples((minute) => minute / 10 + noise(minute)),
    'heap',
  )
  expect(growing.kibPerMinute).toBeGreaterThan(100)
  expect(growing.kibPerMinute).toBeLessThan(105)
  const flat = slopeOf(samples(noise), 'heap')
  expect(Math.abs(flat.kibPerMinute)).toBeLessThan(flat.limitKibPerMinute)
  const warmedUp = slopeOf(
    samples((minute) => Math.min(minute, 9)),
    'heap',
  )
  expect(warmedUp.kibPerMinute).toBeCloseTo(0)
})

it('an hour of samples detects a growth of two mebibytes', () => {
  const growing = slopeOf(
    samples((minute) => minute / 30),
    'heap',
  )
  expect(growing.kibPerMinute).toBeGreaterThan(growing.limitKibPerMinute)
})

it('the RSS may grow for the first half hour, and not afterwards', () => {
  const atRestAfter = (minutes: number) =>
    samples((minute) => Math.min(minute, minutes) * (30 / minutes))
  const resting = slopeOf(atRestAfter(29), 'rss')
  expect(resting.kibPerMinute).toBeCloseTo(0)
  expect(slopeOf(atRestAfter(29), 'rss', figures.heap.warmUp).kibPerMinute).toBeGreaterThan(500)
  const rising = slopeOf(
    samples((minute) => minute),
    'rss',
  )
  expect(rising.kibPerMinute).toBeGreaterThan(rising.limitKibPerMinute)
})
