import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRecurrence, lastAndNext, nextTime } from './recurrence.ts'
import { dayMs, minuteMs, timeOf, wallAt, weekdayOf } from './zoned-time.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  // Its clock changes by half an hour.
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  // Its clock changes at midnight.
  'America/Santiago',
  'Africa/Cairo',
  'Pacific/Auckland',
  'Pacific/Apia',
]
const anyZone = fc.constantFrom(...zones)
const anyTime = fc.integer({
  min: Date.parse('2012-01-01T00:00:00Z') / 1000,
  max: Date.parse('2037-01-01T00:00:00Z') / 1000,
})

/** Whether the clock shows something else an hour later than an hour after this reading. */
const isNearChange = (time: number, zone: string) =>
  wallAt(time + dayMs, zone) - wallAt(time - dayMs, zone) !== 2 * dayMs

it('a reading of the clock leads back to its time, except where the clock shows it twice', () => {
  fc.assert(
    fc.property(anyTime, anyZone, (seconds, zone) => {
      const time = seconds * 1000
      const again = timeOf(wallAt(time, zone), zone)
      expect(wallAt(again, zone)).toBe(wallAt(time, zone))
      expect(again).toBeLessThanOrEqual(time)
      if (!isNearChange(time, zone)) expect(again).toBe(time)
    }),
    { numRuns: propertyRuns(2000) },
  )
})

it.each([
  ['a time that the clock skips', '2026-03-29T02:30:00Z', '2026-03-29T01:30:00Z'],
  ['a time that comes twice', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z'],
  ['the time before the change', '2026-10-25T01:59:00Z', '2026-10-24T23:59:00Z'],
  ['the time after it', '2026-10-25T03:00:00Z', '2026-10-25T02:00:00Z'],
])('in Berlin, %s is found', (_what, wall, time) => {
  expect(new Date(timeOf(Date.parse(wall), 'Europe/Berlin')).toISOString()).toBe(
    time.replace('Z', '.000Z'),
  )
})

it('a reminder that repeats is due at its local time on its days, once a day, also when the clock changes', () => {
  const anyDays = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
  const anyMinute = fc.integer({ min: 0, max: 24 * 60 - 1 })
  fc.assert(
    fc.property(anyTime, anyZone, anyDays, anyMinute, (seconds, timeZone, days, minuteOfDay) => {
      const recurrence = { days, minuteOfDay }
      expect(isRecurrence(recurrence)).toBe(true)
      let time = seconds * 1000
      for (let count = 0; count < 4; count++) {
        const next = nextTime(recurrence, { dueMs: time, afterMs: time, timeZone })
        expect(next).toBeGreaterThan(time)
        expect(next - time).toBeLessThan(9 * dayMs)
        const wall = wallAt(next, timeZone)
        // The clock skips the time of this day: it is due as much later as the clock went forward.
        const isSkipped = timeOf(wall, timeZone) !== next || isNearChange(next, timeZone)
        if (!isSkipped) {
          expect((wall % dayMs) / minuteMs).toBe(minuteOfDay)
          expect(days).toContain(weekdayOf(wall))
        } else
          expect(Math.abs((wall % dayMs) / minuteMs - minuteOfDay) % (23 * 60)).toBeLessThan(61)
        time = next
      }
    }),
    { numRuns: propertyRuns(2000) },
  )
})

it.each([
  [24 * 60, '2026-11-27T00:00', '2026-12-03T00:00'],
  [24 * 60 + 59, '2026-11-27T00:59', '2026-12-03T00:59'],
])('minute %i of a day is in the night after it', (minuteOfDay, next, afterNext) => {
  // A Thursday, in the week of whose Wednesdays and Thursdays the reminder comes.
  const recurrence = { days: [3, 4], minuteOfDay }
  expect(isRecurrence(recurrence)).toBe(true)
  const after = (time: string) => {
    const afterMs = Date.parse(time)
    return new Date(nextTime(recurrence, { dueMs: afterMs, afterMs, timeZone: 'UTC' }))
  }
  expect(after('2026-11-26T15:00Z').toISOString().slice(0, 16)).toBe(next)
  expect(after(`${next}Z`).toISOString().slice(0, 16)).toBe(afterNext)
})

it.each([
  [{ everyMs: 60 * minuteMs }, '2026-11-26T14:30', '2026-11-26T15:30'],
  [{ days: [4], minuteOfDay: 9 * 60 }, '2026-11-26T09:00', '2026-12-03T09:00'],
  [{ days: [5], minuteOfDay: 9 * 60 }, '2026-11-20T09:00', '2026-11-27T09:00'],
])(
  'after a long time, the last one that was missed and the next one are found: %j',
  (recurrence, last, next) => {
    const found = lastAndNext(recurrence, {
      dueMs: Date.parse('2025-11-27T09:30Z'),
      nowMs: Date.parse('2026-11-26T15:00Z'),
      timeZone: 'UTC',
    })
    const text = (ms: number) => new Date(ms).toISOString().slice(0, 16)
    expect([text(found.lastMs), text(found.nextMs)]).toEqual([last, next])
  },
)
