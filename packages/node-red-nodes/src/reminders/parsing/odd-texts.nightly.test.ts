import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import { createRandom } from '@parlando/test-support/vitest/random'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reminderLanguage } from '../../grammars/by-language.ts'
import { dayMs, minuteMs, startOfDay, timeOf, wallAt } from '../zoned-time.ts'
import { maxCharacters, readWhen } from './read-when.ts'

const codes = ['en', 'de', 'es', 'fr', 'ja', 'zh']
const clock = { nowMs: Date.parse('2026-11-26T15:00:00Z'), timeZone: 'Europe/Berlin' }

/** All words of the rules of a language: texts of them begin many searches. */
function wordsOf(code: string): string[] {
  const collect = (value: unknown): string[] => {
    if (typeof value === 'string') return value.split(/[|(){}?:=!<>[\]\\,.*+^$]+/)
    return value instanceof Object
      ? [...Object.keys(value), ...Object.values(value).flatMap(collect)]
      : []
  }
  const words = collect(reminderLanguage(code)).map((word) => word.trim())
  const odd = [
    '1',
    '12',
    '7:30',
    '2026-12-24',
    'T',
    '.',
    ',',
    '-',
    '\n',
    '\ue000',
    '７',
    'ß',
    '😀',
    'İ',
  ]
  return [...new Set([...words, ...odd])].filter((word) => word !== '' && word.length < 20)
}

function oddTexts(code: string, count: number): string[] {
  const random = createRandom(7)
  const words = wordsOf(code)
  const any = () => words[Math.floor(random() * words.length)]!
  return Array.from({ length: count }, () => {
    let text = ''
    const separator = random() < 0.7 ? ' ' : ''
    while (text.length < maxCharacters) text += any().repeat(1 + random() * 4) + separator
    return text.slice(0, maxCharacters)
  })
}

/** The processor time, which does not grow when other processes run; the shortest of three, without what only comes once. */
function processorMs(work: () => void): number {
  const attempts = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...attempts)
}

it.each(codes)('any text in the language %s is nothing, or a time to come and a name', (code) => {
  const language = reminderLanguage(code)
  for (const text of oddTexts(code, propertyRuns(4000))) {
    const { when, name } = readWhen(text, language, clock)
    if (!when) continue
    expect(when.dueMs, text).toBeGreaterThan(clock.nowMs)
    expect(when.dueMs, text).toBeLessThan(clock.nowMs + 11 * 366 * dayMs)
    expect(name, text).not.toMatch(/[\ue000-\ue0ff\n]/)
  }
})

it.each(codes)('the longest text in the language %s is read in less than 50 ms', (code) => {
  const language = reminderLanguage(code)
  const repeated = wordsOf(code).map((word) =>
    `${word} `.repeat(maxCharacters).slice(0, maxCharacters),
  )
  for (const text of [...repeated, ...oddTexts(code, 100)]) {
    expect(
      processorMs(() => readWhen(text, language, clock)),
      text,
    ).toBeLessThan(50)
  }
})

it('a time of tomorrow is the local time of the zone, also when the clock changes', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Pacific/Auckland',
  ]
  // The days around the changes of two years, and any others.
  const changes = [
    '2026-03-29',
    '2026-10-25',
    '2027-03-14',
    '2027-11-07',
    '2027-04-04',
    '2027-10-03',
  ]
  const aChange = fc.constantFrom(...changes).map((day) => Date.parse(day))
  const anyDay = fc.integer({ min: 18_000, max: 24_000 }).map((days) => days * dayMs)
  const aTime = fc.tuple(fc.oneof(aChange, anyDay), fc.integer({ min: -2 * 1440, max: 1440 }))
  const aMinute = fc.integer({ min: 0, max: 1439 })
  fc.assert(
    fc.property(aTime, aMinute, fc.constantFrom(...zones), ([day, minutes], minute, timeZone) => {
      const nowMs = day + minutes * minuteMs
      const [hours, rest] = [Math.floor(minute / 60), minute % 60]
      const text = `tomorrow at ${hours}:${String(rest).padStart(2, '0')}`
      const when = readWhen(text, reminderLanguage('en'), { nowMs, timeZone }).when!
      const wanted = startOfDay(wallAt(nowMs, timeZone)) + dayMs + minute * minuteMs
      const shown = wallAt(when.dueMs, timeZone)
      // The clock skips a time by an hour or half an hour; nothing else moves a reminder.
      const isSkipped = wallAt(timeOf(wanted, timeZone), timeZone) !== wanted
      expect([
        wanted,
        ...(isSkipped ? [wanted + 30 * minuteMs, wanted + 60 * minuteMs] : []),
      ]).toContain(shown)
    }),
    { numRuns: propertyRuns(4000) },
  )
})
