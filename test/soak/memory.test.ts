import { expect, it } from 'vitest'
import { figures, type Sample, slopeOf } from './memory.ts'

const mebibyte = 2 ** 20

/** An hour of samples of a process whose heap starts at 50 MiB, and that has as much again beside. */
function samples(heapMiB: (minute: number) => number): Sample[] {
  return Array.from({ length: 720 }, (_, index) => {
    const minute = index / 12
    const heapBytes = (50 + heapMiB(minute)) * mebibyte
    const rest = { bufferBytes: 0, sockets: 0, children: 0, threads: 0 }
    return { minute, held: { heapBytes, rssBytes: 2 * heapBytes, ...rest } }
  })
}

it('the slope of a line is its slope, and of noise and of a warm-up none', () => {
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

it('an hour sees what grows by two mebibytes in it', () => {
  const growing = slopeOf(
    samples((minute) => minute / 30),
    'heap',
  )
  expect(growing.kibPerMinute).toBeGreaterThan(growing.limitKibPerMinute)
})

it('memory that the allocator keeps may come to rest in half an hour, and must rest then', () => {
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
