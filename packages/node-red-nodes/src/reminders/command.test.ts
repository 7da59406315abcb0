import { runInNewContext } from 'node:vm'
import { RED } from '@parlando/test-support/node-red/fake-red'
import { describe, expect, it } from 'vitest'
import { readCommandObject, readText } from './command.ts'

const clock = { nowMs: Date.parse('2026-11-26T15:00:00Z'), timeZone: 'Europe/Berlin' }
const minute = 60_000

describe('a command', () => {
  it.each([
    ['en', 'cancel the tea timer', { command: 'cancel', name: 'tea', isAll: false }],
    ['en', 'cancel all timers', { command: 'cancel', name: '', isAll: true }],
    ['en', 'delete all my reminders, please', { command: 'cancel', name: '', isAll: true }],
    ['en', 'cancel every Monday reminder', { command: 'cancel', name: 'Monday', isAll: false }],
    ['en', 'stop all the lights', { command: 'cancel', isAll: false }],
    ['en', 'forget everything about the bins', { command: 'cancel', isAll: false }],
    ['en', 'what do I have tomorrow?', { command: 'list' }],
    ['en', 'how long is left of the ten minutes?', { command: 'list' }],
    ['en', 'show the film at 8', { command: 'set', name: 'show the film' }],
    ['en', 'change the tea to five minutes', { command: 'change', name: 'the tea' }],
    ['en', 'how long is left?', { command: 'list' }],
    [
      'en',
      'postpone the tea by ten minutes',
      { command: 'change', name: 'the tea', by: { days: 0, exactMs: 10 * minute } },
    ],
    [
      'en',
      'remind me tomorrow at 7 to cancel the paper',
      { command: 'set', name: 'cancel the paper' },
    ],
    ['de', 'lösche den Tee', { command: 'cancel', name: 'den Tee' }],
    ['de', 'lösche alle', { command: 'cancel', isAll: true }],
    ['de', 'lösche alle Erinnerungen', { command: 'cancel', name: '', isAll: true }],
    ['de', 'lösche alle Termine am Montag', { command: 'cancel', isAll: false }],
    ['de', 'was habe ich morgen', { command: 'list' }],
    ['de', 'welchen Termin habe ich am Montag', { command: 'list' }],
    ['de', 'ändere den Tee auf fünf Minuten', { command: 'change', name: 'den Tee' }],
    ['de', 'wie lange noch', { command: 'list' }],
    [
      'de',
      'verlängere den Tee um zehn Minuten',
      { command: 'change', name: 'den Tee', by: { days: 0, exactMs: 10 * minute } },
    ],
    [
      'de',
      'verkürze den Tee um zehn Minuten',
      { command: 'change', name: 'den Tee', by: { days: 0, exactMs: -10 * minute } },
    ],
    ['en', 'move the bins by one day', { name: 'the bins', by: { days: 1, exactMs: 0 } }],
    ['en', 'postpone the tea by 2 h', { name: 'the tea', by: { exactMs: 120 * minute } }],
    ['en', 'postpone the tea by 2 hrs', { name: 'the tea', by: { exactMs: 120 * minute } }],
    ['en', 'postpone it by two and a half hours', { by: { exactMs: 150 * minute } }],
    ['en', 'postpone the tea by 1.5 hours', { name: 'the tea', by: { exactMs: 90 * minute } }],
    ['en', 'postpone the tea by ten more minutes', { by: { exactMs: 10 * minute } }],
    ['en', 'postpone the tea by another ten minutes', { by: { exactMs: 10 * minute } }],
    ['en', 'postpone the Monday tea by an hour', { name: 'the Monday tea', by: { days: 0 } }],
    ['de', 'verlängere den Tee um 2 h', { name: 'den Tee', by: { exactMs: 120 * minute } }],
    ['de', 'verlängere den Tee um 1,5 Stunden', { by: { exactMs: 90 * minute } }],
    ['de', 'verlängere den Tee um zehn weitere Minuten', { by: { exactMs: 10 * minute } }],
    ['de', 'verlängere den Tee um weitere zehn Minuten', { by: { exactMs: 10 * minute } }],
    ['fr', 'reporte le thé de 2h', { name: 'thé', by: { exactMs: 120 * minute } }],
    ['fr', 'reporte le thé de deux heures et demie', { by: { exactMs: 150 * minute } }],
    ['fr', "reporte le thé d'une heure et demie", { name: 'thé', by: { exactMs: 90 * minute } }],
    ['es', 'aplaza el té diez minutos', { name: 'té', by: { days: 0, exactMs: 10 * minute } }],
    ['fr', 'reporte le thé de dix minutes', { name: 'thé', by: { exactMs: 10 * minute } }],
    ['ja', 'お茶を10分延期して', { name: 'お茶', by: { exactMs: 10 * minute } }],
    ['zh', '把茶推迟十分钟', { name: '茶', by: { exactMs: 10 * minute } }],
    ['es', 'cancela el té', { command: 'cancel', name: 'té' }],
    ['es', 'cancela todo', { command: 'cancel', isAll: true }],
    ['es', 'borra todos los lunes', { command: 'cancel', isAll: false }],
    ['es', '¿tengo algo mañana?', { command: 'list' }],
    ['es', '¿qué tengo mañana?', { command: 'list' }],
    ['es', 'tengo dentista mañana a las 8', { command: 'set' }],
    ['es', 'cambia el té a cinco minutos', { command: 'change', name: 'té' }],
    ['es', '¿cuánto queda?', { command: 'list' }],
    ['fr', 'annule le thé', { command: 'cancel', name: 'thé' }],
    ['fr', 'annule tout', { command: 'cancel', isAll: true }],
    ['fr', 'supprime tous les lundis', { command: 'cancel', isAll: false }],
    ['fr', "qu'est-ce que j'ai demain ?", { command: 'list' }],
    ['fr', 'change le thé à cinq minutes', { command: 'change', name: 'thé' }],
    ['fr', 'combien de temps reste-t-il', { command: 'list' }],
    ['ja', 'お茶を取り消し', { command: 'cancel', name: 'お茶' }],
    ['ja', '全部取り消し', { command: 'cancel', isAll: true }],
    ['ja', '明日は何がある', { command: 'list' }],
    ['ja', 'お茶を5分後に変更', { command: 'change', name: 'お茶' }],
    ['ja', '残りはどのくらい', { command: 'list' }],
    ['zh', '取消茶', { command: 'cancel', name: '茶' }],
    ['zh', '取消全部', { command: 'cancel', isAll: true }],
    ['zh', '明天有什么提醒', { command: 'list' }],
    ['zh', '把茶改成五分钟后', { command: 'change', name: '茶' }],
    ['zh', '还剩多久', { command: 'list' }],
    ['zh', '明天七点提醒我取消订阅', { command: 'set', name: '取消订阅' }],
  ])('in the language %s is understood: %s', (language, text, expected) => {
    expect(readText(text, { RED, language, clock })).toMatchObject(expected)
  })
})

it.each([
  ['en', 'change the tea to five minutes'],
  ['en', 'postpone the tea to five minutes'],
  ['en', 'postpone the tea in five minutes'],
  ['de', 'verschiebe den Tee auf fünf Minuten'],
  ['fr', 'reporte la marche de deux heures à cinq minutes'],
  ['es', 'aplaza el té a cinco minutos'],
  ['fr', 'reporte le thé à cinq minutes'],
  ['ja', 'お茶を5分後に延期'],
])('in the language %s counts from now: %s', (language, text) => {
  const command = readText(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change', when: { durationMs: 5 * minute } })
  expect(command).not.toHaveProperty('by')
})

it.each([
  ['en', 'postpone the alarm to 7:30', true],
  ['en', 'move the bins to tomorrow', true],
  ['en', 'change the alarm to 7:30', false],
  ['de', 'verschiebe den Müll auf morgen', true],
  ['de', 'ändere den Müll auf morgen', false],
  ['es', 'aplaza la alarma a las 7:30', true],
  ['fr', "reporte l'alarme à 7h30", true],
  ['ja', 'アラームを7時30分に延期', true],
  ['zh', '把闹钟推迟到七点半', true],
  ['zh', '把闹钟改到七点半', false],
])('in the language %s moves one that repeats only once: %s, %s', (language, text, isOnce) => {
  const command = readText(text, { RED, language, clock })
  expect(command).toMatchObject({ command: 'change' })
  expect('isOnce' in command).toBe(isOnce)
})

describe('a time in msg.remind', () => {
  const read = (when: unknown) => readCommandObject({ when }, { RED, language: 'en', clock })

  it.each([
    ['a Date', new Date(clock.nowMs + minute)],
    ['a Date of a function node', runInNewContext(`new Date(${clock.nowMs + minute})`)],
    ['milliseconds', clock.nowMs + minute],
    ['an ISO date', '2026-11-26T16:01'],
  ])('may be %s', (_kind, when) => {
    expect(read(when)).toMatchObject({ when: { dueMs: clock.nowMs + minute } })
  })

  it.each([
    [new Date(Number.NaN)],
    [clock.nowMs],
    [1e300],
    [Infinity],
    [null],
    [{}],
    [['in ten minutes']],
  ])('is rejected: %s', (when) => {
    expect(() => read(when)).toThrow('not-understood')
  })
})
