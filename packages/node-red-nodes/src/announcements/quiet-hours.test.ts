import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isQuiet } from './quiet-hours.ts'

const timeZone = process.env['TZ']
beforeEach(() => {
  // The clock goes forward on 29 March 2026 at 2:00, and back on 25 October 2026 at 3:00.
  process.env['TZ'] = 'Europe/Berlin'
})
afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = timeZone
})

const isQuietAt = (from: string, to: string, time: string) => isQuiet({ from, to }, new Date(time))

describe('quiet hours', () => {
  it.each([
    ['12:00', '14:00', '2026-06-01T11:59:59', false],
    ['12:00', '14:00', '2026-06-01T12:00:00', true],
    ['12:00', '14:00', '2026-06-01T13:59:59', true],
    ['12:00', '14:00', '2026-06-01T14:00:00', false],
    ['22:00', '7:00', '2026-06-01T22:00:00', true],
    ['22:00', '7:00', '2026-06-02T00:00:00', true],
    ['22:00', '7:00', '2026-06-02T06:59:59', true],
    ['22:00', '7:00', '2026-06-02T07:00:00', false],
    ['00:00', '00:00', '2026-06-02T12:00:00', true],
  ])('from %s to %s include %s: %s', (from, to, time, expected) => {
    expect(isQuietAt(from, to, time)).toBe(expected)
  })

  it.each([
    ['the hour before the clock goes forward', '22:00', '07:00', '2026-03-29T00:59:00Z', true],
    ['the hour after it', '22:00', '07:00', '2026-03-29T01:00:00Z', true],
    ['seven by the new time', '22:00', '07:00', '2026-03-29T05:00:00Z', false],
    ['an hour that does not exist', '02:00', '03:00', '2026-03-29T01:00:00Z', false],
    ['the first 2:30 when the clock goes back', '02:00', '03:00', '2026-10-25T00:30:00Z', true],
    ['the second 2:30', '02:00', '03:00', '2026-10-25T01:30:00Z', true],
    ['six by the new time', '22:00', '07:00', '2026-10-25T05:59:00Z', true],
    ['seven by the new time', '22:00', '07:00', '2026-10-25T06:00:00Z', false],
  ])('follow the clock on the wall: %s', (_when, from, to, time, expected) => {
    expect(isQuietAt(from, to, time)).toBe(expected)
  })

  it.each(['', '24:00', '7', '7:60', 'ten', '22:00:00'])(
    'without a valid time never apply: %j',
    (time) => {
      expect(isQuietAt(time, '07:00', '2026-06-01T03:00:00')).toBe(false)
      expect(isQuietAt('22:00', time, '2026-06-01T23:00:00')).toBe(false)
    },
  )
})
