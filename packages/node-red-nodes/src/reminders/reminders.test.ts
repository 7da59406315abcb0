import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RED } from '@parlando/test-support/node-red/fake-red'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reminderLanguage } from '../grammars/by-language.ts'
import { createSavedList } from '../saved/saved-list.ts'
import { carryOut } from './carry-out-command.ts'
import { readSentence } from './parsing/read-command.ts'
import { readWhen } from './parsing/read-when.ts'
import { isReminder, type Reminder } from './reminder.ts'
import { maxReminders, Reminders } from './reminders.ts'
import { dayMs, minuteMs } from './zoned-time.ts'

const folder = mkdtempSync(join(tmpdir(), 'parlando-reminders-'))
afterAll(() => rmSync(folder, { recursive: true }))

const startMs = Date.parse('2026-11-26T15:00:00Z')
beforeEach(
  () => void vi.useFakeTimers({ now: startMs, toFake: ['setTimeout', 'clearTimeout', 'Date'] }),
)
const stores: ReturnType<typeof createSavedList<Reminder>>[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const store of stores.splice(0)) await store.flush()
})

let files = 0
const newPath = () => join(folder, `${++files}.json`)

/** @param flow called with the name of each reminder that is due, as a flow that receives it at once. */
function open(path = newPath(), flow: (name: string) => void = () => {}) {
  const store = createSavedList<Reminder>({
    path,
    isEntry: isReminder,
    maxEntries: 1000,
    onError: (error) => {
      throw error
    },
  })
  stores.push(store)
  const events: string[] = []
  const reminders = new Reminders({
    store,
    nodeId: 'node',
    onDue({ name, dueMs }, event) {
      events.push(`${event} ${name} ${(dueMs - startMs) / minuteMs}`)
      flow(name)
    },
    onChange() {},
  })
  reminders.start()
  return { path, store, reminders, events }
}

const reminder = (name: string, minutes: number, changes: Partial<Reminder> = {}): Reminder => ({
  id: name,
  nodeId: 'node',
  name,
  setMs: startMs,
  dueMs: startMs + minutes * minuteMs,
  timeZone: 'Europe/Berlin',
  language: 'en-US',
  message: {},
  ...changes,
})

describe('a reminder', () => {
  it('is sent when it is due, once, in the order of the times', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tea', 10))
    reminders.set(reminder('egg', 5))
    expect(reminders.list().map(({ name }) => name)).toEqual(['egg', 'tea'])
    vi.advanceTimersByTime(10 * minuteMs - 1)
    expect(events).toEqual(['due egg 5'])
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual(['due egg 5', 'due tea 10'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is due after more time than a timer of Node.js can wait', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tax', 40 * 24 * 60))
    vi.advanceTimersByTime(40 * dayMs - 1)
    expect(events).toEqual([])
    vi.advanceTimersByTime(1)
    expect(events).toEqual(['due tax 57600'])
  })

  it('also says when half of the time is over, if that is wanted', () => {
    const { reminders, events } = open()
    reminders.set(reminder('cake', 40, { half: true }))
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual(['half cake 40', 'due cake 40'])
  })

  it('follows a clock that is set, within a minute', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tea', 60))
    vi.setSystemTime(startMs + 60 * minuteMs)
    vi.advanceTimersByTime(minuteMs)
    expect(events).toEqual(['due tea 60'])
  })

  it('is not sent if it was cancelled, and later if it was changed', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tea', 10))
    reminders.set(reminder('egg', 5))
    reminders.cancel([reminder('egg', 5)])
    reminders.set(reminder('tea', 20))
    vi.advanceTimersByTime(15 * minuteMs)
    expect(events).toEqual([])
    vi.advanceTimersByTime(5 * minuteMs)
    expect(events).toEqual(['due tea 20'])
  })

  it('that a flow cancels when it receives another one is not sent, and the others are sent once', () => {
    const { reminders, events } = open(newPath(), (name) => {
      if (name === 'egg') reminders.cancel([reminder('cat', 5)])
    })
    reminders.set(reminder('egg', 5))
    reminders.set(reminder('cat', 5, { recurrence: { everyMs: 30 * minuteMs } }))
    reminders.set(reminder('tea', 5))
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual(['due egg 5', 'due tea 5'])
    expect(reminders.list()).toEqual([])
  })

  it('that repeats is the youngest one of a full store after each time', () => {
    const { store, reminders } = open()
    reminders.set(reminder('cat', 5, { recurrence: { everyMs: 30 * minuteMs } }))
    reminders.set(reminder('tea', 60))
    vi.advanceTimersByTime(5 * minuteMs)
    expect(store.of('node').map(({ name }) => name)).toEqual(['tea', 'cat'])
  })

  it('that repeats comes again', () => {
    const { reminders, events } = open()
    const recurrence = { everyMs: 30 * minuteMs }
    reminders.set(reminder('drink', 30, { recurrence }))
    vi.advanceTimersByTime(95 * minuteMs)
    expect(events).toEqual(['due drink 30', 'due drink 60', 'due drink 90'])
    expect(reminders.list()).toMatchObject([{ dueMs: startMs + 120 * minuteMs }])
  })
})

/** Carries out what somebody says. */
function say(reminders: Reminders, text: string, language = 'en') {
  const listener = { language, timeZone: 'Europe/Berlin', nowMs: Date.now() }
  const command = readSentence(text, { RED, language, clock: listener })
  const context = { RED, reminders, nodeId: 'node', half: false, message: {}, ...listener }
  return carryOut(command, context)
}

it.each([
  ['en', 'move my 7 am alarm to 9 am', 'alarm'],
  ['en', 'move the alarm from 7 am to 9 am', 'alarm'],
  ['en', 'move the alarm from seven to nine', 'alarm'],
  ['en', 'change the alarm from seven thirty to nine', 'alarm at half past'],
  ['en', 'change the alarm at seven to nine', 'alarm'],
  ['en', 'move my 7 alarm to 9', 'alarm'],
  ['en', 'move my seven alarm to nine', 'alarm'],
  ['en', "move the seven o'clock alarm to nine", 'alarm'],
  ['en', 'move the tax from Saturday to Monday', 'tax on Saturday'],
  ['de', 'verschieb den Wecker von sieben auf neun', 'alarm'],
  ['de', 'ändere den Wecker um sieben auf neun', 'alarm'],
  ['es', 'mueve la alarma de las siete a las nueve', 'alarm'],
  ['es', 'cambia la alarma de las siete y media a las nueve', 'alarm at half past'],
  ['es', 'cambia la alarma desde las siete hasta las nueve', 'alarm'],
  ['fr', "décale l'alarme de sept heures à neuf heures", 'alarm'],
  ['ja', 'アラームを7時から9時に変更して', 'alarm'],
  ['ja', '7時のアラームを9時に変更して', 'alarm'],
  ['zh', '把闹钟从七点改到九点', 'alarm'],
  ['zh', '把七点的闹钟改到九点', 'alarm'],
])('the reminder that is due at the first of two times moves: %s, %s', (language, text, id) => {
  const { reminders } = open()
  reminders.set(reminder('alarm', 15 * 60, { name: '' }))
  reminders.set(reminder('alarm at half past', 15 * 60 + 30, { name: '' }))
  reminders.set(reminder('other alarm', 16 * 60, { name: '' }))
  reminders.set(reminder('tax on Saturday', 41 * 60, { name: 'tax' }))
  reminders.set(reminder('tax on Sunday', 65 * 60, { name: 'tax' }))
  reminders.set(reminder('bins on Saturday', 42 * 60, { name: 'bins' }))
  expect(say(reminders, text, language)).toMatchObject({ event: 'changed', reminders: [{ id }] })
})

it('a time at which several reminders are due is answered with a question about them', () => {
  const { reminders } = open()
  for (const days of [1, 2]) {
    reminders.set(reminder(`day ${days}`, (15 + 24 * days) * 60, { name: '' }))
  }
  reminders.set(reminder('soon', 5, { name: '' }))
  const answer = say(reminders, "cancel the 7 o'clock alarm")
  expect(answer).toMatchObject({ event: 'unclear', sentence: expect.stringContaining('Which') })
  expect(answer.reminders).toHaveLength(2)
})

it.each([
  ['move the alarm to eight', 16],
  ['move the alarm to eight in the evening', 28],
  ['move the alarm to today at eight', 4],
  ['change the alarm to tonight at eight', 4],
])('a reminder that moves to a time stays on its day: %s', (text, hours) => {
  const { reminders } = open()
  // It is four in the afternoon, and the alarm is for seven in the morning.
  reminders.set(reminder('', 15 * 60))
  say(reminders, text)
  expect(reminders.list().map(({ dueMs }) => (dueMs - Date.now()) / 60 / minuteMs)).toEqual([hours])
})

it.each([
  ['move the alarm to eight', 9, 16],
  ['move the alarm to six', 9, 14],
  ['move the alarm to eight in the evening', 9, 28],
  ['move the alarm to tonight at eight', 9, 4],
  ['move the alarm to eight', 0.5, 0.5],
])(
  'one that repeats stays on its day, too: %s, %d hours after it was said',
  (text, since, hours) => {
    const { reminders } = open()
    const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 7 * 60 }
    const saidMs = startMs - 9 * 60 * minuteMs
    vi.setSystemTime(saidMs + since * 60 * minuteMs)
    reminders.set(reminder('', 15 * 60, { recurrence, saidMs }))
    say(reminders, text)
    const [moved] = reminders.list()
    expect([(moved!.dueMs - Date.now()) / 60 / minuteMs, moved!.recurrence]).toEqual([
      hours,
      recurrence,
    ])
  },
)

describe('a reminder is cancelled by its time', () => {
  const at = (id: string, minutes: number, changes: Partial<Reminder> = {}) =>
    reminder(id, minutes, { name: '', ...changes })
  const daily = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 6 * 60 + 30 }
  const weekly = { days: [1], minuteOfDay: 20 * 60 }
  /** At four in the afternoon of a Thursday. */
  function openWithSeveral() {
    const { reminders } = open()
    reminders.set(at('in ten minutes', 10, { durationMs: 10 * minuteMs }))
    reminders.set(at('in twenty minutes', 20, { durationMs: 20 * minuteMs }))
    reminders.set(at('tomorrow at 7', 15 * 60))
    reminders.set(at('Saturday at 21:15', 53 * 60 + 15))
    reminders.set(at('tax on Saturday', 41 * 60, { name: 'tax' }))
    reminders.set(at('tax on Sunday', 65 * 60, { name: 'tax' }))
    reminders.set(at('every day at 6:30', 14 * 60 + 30, { recurrence: daily }))
    reminders.set(at('every Monday at 20:00', 100 * 60, { recurrence: weekly }))
    return reminders
  }

  it.each([
    ['en', "cancel my 7 o'clock alarm", 'tomorrow at 7'],
    ['en', 'cancel my alarm for seven', 'tomorrow at 7'],
    ['en', 'cancel my 7 alarm', 'tomorrow at 7'],
    ['en', 'cancel my seven alarm', 'tomorrow at 7'],
    ['en', 'delete the 6 30 alarm', 'every day at 6:30'],
    ['en', 'cancel the alarm for tomorrow', 'tomorrow at 7'],
    ['en', 'cancel tomorrow’s alarm', 'tomorrow at 7'],
    ['en', 'cancel the alarm for tomorrow morning', 'tomorrow at 7'],
    ['en', 'delete the 6:30 alarm', 'every day at 6:30'],
    ['en', 'cancel the daily reminder', 'every day at 6:30'],
    ['en', 'cancel Monday’s alarm', 'every Monday at 20:00'],
    ['en', 'cancel the alarm at quarter past nine', 'Saturday at 21:15'],
    ['en', 'stop the ten minute timer', 'in ten minutes'],
    ['en', 'cancel the tax on Sunday', 'tax on Sunday'],
    ['en', 'cancel the reminder in three days', 'tax on Sunday'],
    ['de', 'lösche die Erinnerung in drei Tagen', 'tax on Sunday'],
    ['de', 'lösche den Wecker um sieben', 'tomorrow at 7'],
    ['de', 'lösche den Wecker von morgen früh', 'tomorrow at 7'],
    ['de', 'stell den Wecker um sieben aus', 'tomorrow at 7'],
    ['de', 'lösche den Timer auf zehn Minuten', 'in ten minutes'],
    ['es', 'cancela la alarma de las siete', 'tomorrow at 7'],
    ['es', 'borra la alarma del lunes', 'every Monday at 20:00'],
    ['fr', 'annule l’alarme de sept heures', 'tomorrow at 7'],
    ['fr', 'annule le rappel du lundi', 'every Monday at 20:00'],
    ['ja', '7時のアラームを取り消して', 'tomorrow at 7'],
    ['ja', '10分のタイマーを止めて', 'in ten minutes'],
    ['zh', '取消七点的闹钟', 'tomorrow at 7'],
    ['zh', '取消周一的提醒', 'every Monday at 20:00'],
  ])('in the language %s: %s', (language, text, id) => {
    const { event, reminders } = say(openWithSeveral(), text, language)
    expect([event, reminders.map((one) => one.id)]).toEqual(['cancelled', [id]])
  })

  it.each([
    ['several are due', 'cancel the alarm on Saturday'],
    ['none is due', "cancel the 5 o'clock alarm"],
    ['none has the name', 'cancel the dentist tomorrow'],
    ['one that repeats comes on that day, too', 'cancel the alarm for Tuesday'],
  ])('unless %s then', (_title, text) => {
    const reminders = openWithSeveral()
    expect(say(reminders, text).event).toBe('unclear')
    expect(reminders.list()).toHaveLength(8)
  })
})

describe('a reminder to be cancelled later stays', () => {
  it.each([
    ['en', 'turn off the alarm in ten minutes'],
    ['en', 'stop the timer in ten minutes'],
    ['en', 'cancel the tea in ten minutes'],
    ['en', 'turn all timers off in ten minutes'],
    ['de', 'schalte den Wecker in zehn Minuten aus'],
    ['de', 'lösche den Tee in zehn Minuten'],
    ['fr', 'éteins le réveil dans dix minutes'],
    ['es', 'apaga la alarma en diez minutos'],
    ['ja', '10分後にアラームを止めて'],
    ['zh', '十分钟后关掉闹钟'],
  ])('in the language %s: %s', (language, text) => {
    const { reminders } = open()
    reminders.set(reminder('timer', 10, { name: '', durationMs: 10 * minuteMs }))
    reminders.set(reminder('tea', 20))
    expect(say(reminders, text, language).event).toBe('unclear')
    expect(reminders.list()).toHaveLength(2)
  })
})

it.each([
  ['en', 'cancel all alarms for tomorrow'],
  ['en', 'cancel everything tomorrow'],
  ['en', 'cancel all of tomorrow’s alarms'],
  ['en', 'delete all my alarms on Friday'],
  ['de', 'lösche alle Wecker für morgen'],
  ['fr', 'supprime toutes les alarmes de demain'],
  ['es', 'cancela todas las alarmas de mañana'],
  ['ja', '明日のアラームを全部取り消して'],
  ['zh', '取消明天的所有闹钟'],
])('all reminders of a day are cancelled in the language %s: %s', (language, text) => {
  const { reminders } = open()
  const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 7 * 60 }
  reminders.set(reminder('today', 60))
  reminders.set(reminder('every day', 15 * 60, { recurrence }))
  reminders.set(reminder('tomorrow at 7', 15 * 60))
  reminders.set(reminder('tomorrow at 8', 16 * 60))
  expect(say(reminders, text, language)).toMatchObject({ event: 'cancelled' })
  expect(reminders.list().map(({ id }) => id)).toEqual(['today', 'every day'])
})

it('all alarms of a day are not the one that has the name of the day', () => {
  const { reminders } = open()
  reminders.set(reminder('Friday paper', 60))
  reminders.set(reminder('alarm', 16 * 60, { name: '' }))
  say(reminders, 'cancel all alarms on Friday')
  expect(reminders.list().map(({ id }) => id)).toEqual(['Friday paper'])
})

describe('a timer that still runs', () => {
  it.each([
    ['en', 'add five minutes to the timer'],
    ['en', 'extend the timer by five minutes'],
    ['de', 'verlängere den Timer um fünf Minuten'],
    ['de', 'den Timer um fünf Minuten verlängern'],
    ['fr', 'rajoute cinq minutes au minuteur'],
    ['es', 'añade cinco minutos al temporizador'],
    ['ja', 'タイマーに5分追加して'],
    ['zh', '定时器加五分钟'],
  ])('is longer, and not the one that has ended, in the language %s: %s', (language, text) => {
    const { reminders } = open()
    reminders.set(reminder('ended', 5, { name: '', durationMs: 5 * minuteMs }))
    reminders.set(reminder('runs', 20, { name: '', durationMs: 20 * minuteMs }))
    reminders.set(reminder('dentist', 60))
    vi.advanceTimersByTime(6 * minuteMs)
    say(reminders, text, language)
    expect(reminders.list()).toMatchObject([{ id: 'runs', durationMs: 25 * minuteMs }, {}])
  })
})

describe('a reminder that is postponed', () => {
  it('is due as much after the time at which it was due', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tea', 10, { durationMs: 10 * minuteMs }))
    vi.advanceTimersByTime(4 * minuteMs)
    const { event, sentence } = say(reminders, 'postpone the tea by five minutes')
    expect([event, sentence]).toEqual(['changed', 'Tea: 4:15 PM.'])
    expect(reminders.list()).toMatchObject([{ durationMs: 15 * minuteMs }])
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual(['due tea 15'])
  })

  it('to an earlier time does not say half of its time if that has passed', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tea', 10, { durationMs: 10 * minuteMs, half: true }))
    vi.advanceTimersByTime(4 * minuteMs)
    say(reminders, 'shorten the tea by five minutes')
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual(['due tea 5'])
  })

  it('comes at its usual time again, if it repeats', () => {
    const { reminders, events } = open()
    const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 16 * 60 + 5 }
    reminders.set(reminder('cat', 5, { recurrence }))
    say(reminders, 'postpone the cat by ten minutes')
    vi.advanceTimersByTime(dayMs + 10 * minuteMs)
    expect(events).toEqual(['due cat 15', `due cat ${5 + 24 * 60}`])
  })

  it('is due as much from now, if it repeats and has just been said', () => {
    const { reminders, events } = open()
    const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 16 * 60 + 5 }
    reminders.set(reminder('alarm', 5, { recurrence }))
    vi.advanceTimersByTime(6 * minuteMs)
    say(reminders, 'postpone the alarm by ten minutes')
    vi.advanceTimersByTime(11 * minuteMs)
    say(reminders, 'postpone the alarm by ten minutes')
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual([
      'due alarm 5',
      'due alarm 16',
      'due alarm 27',
      `due alarm ${5 + 24 * 60}`,
    ])
  })
})

describe('a reminder that does not repeat and has just been said', () => {
  it.each([
    ['snooze for ten minutes', ['due alarm 5', 'due alarm 16']],
    ['snooze the alarm for ten minutes', ['due alarm 5', 'due alarm 16']],
    ['postpone to 16:20', ['due alarm 5', 'due alarm 20']],
  ])('comes again, and no other one moves: %s', (text, expected) => {
    const { reminders, events } = open()
    reminders.set(reminder('alarm', 5))
    reminders.set(reminder('dentist', 60))
    vi.advanceTimersByTime(6 * minuteMs)
    expect(say(reminders, text)).toMatchObject({ event: 'changed' })
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual([...expected, 'due dentist 60'])
  })

  it('comes again in place of one that is due later, also if it repeats', () => {
    const { reminders, events } = open()
    const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 16 * 60 + 5 }
    reminders.set(reminder('cat', 5, { recurrence }))
    reminders.set(reminder('dentist', 60))
    vi.advanceTimersByTime(6 * minuteMs)
    say(reminders, 'snooze for ten minutes')
    vi.advanceTimersByTime(60 * minuteMs)
    expect(events).toEqual(['due cat 5', 'due cat 16', 'due dentist 60'])
  })

  it.each([
    ['snooze for ten minutes', 16],
    ['postpone the dentist by ten minutes', 6],
    ['move an hour earlier', 6],
    ['move the reminder to eight in the evening', 6],
    ['move the reminder to tomorrow at nine', 6],
  ])('does not come again: %s, %i minutes later', (text, minutes) => {
    const { reminders, events } = open()
    reminders.set(reminder('alarm', 0))
    reminders.set(reminder('dentist', 90))
    vi.advanceTimersByTime(minutes * minuteMs)
    expect(say(reminders, text).reminders).toMatchObject([{ name: 'dentist' }])
    vi.advanceTimersByTime(dayMs)
    expect(events).toHaveLength(2)
  })

  it('is not added to a full list', () => {
    const { reminders } = open()
    reminders.set(reminder('alarm', 0))
    for (let index = 0; index < maxReminders; index++) {
      reminders.set(reminder(`reminder ${index}`, 60))
    }
    expect(() => say(reminders, 'snooze for ten minutes')).toThrow('full')
  })
})

describe('a reminder that has just been said and is moved again', () => {
  const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 16 * 60 + 5 }

  it('is due as much after the time to which it was moved', () => {
    const { reminders, events } = open()
    reminders.set(reminder('alarm', 5, { recurrence }))
    vi.advanceTimersByTime(6 * minuteMs)
    say(reminders, 'postpone the alarm by an hour')
    vi.advanceTimersByTime(9 * minuteMs)
    say(reminders, 'postpone the alarm by ten minutes')
    vi.advanceTimersByTime(2 * 60 * minuteMs)
    expect(events).toEqual(['due alarm 5', 'due alarm 76'])
  })

  it('is not said at once if it is moved to an earlier time', () => {
    const { reminders, events } = open()
    reminders.set(reminder('Katze', 5, { recurrence }))
    vi.advanceTimersByTime(6 * minuteMs)
    say(reminders, 'verkürze die Katze um zehn Minuten', 'de')
    vi.advanceTimersByTime(60 * minuteMs)
    expect(events).toEqual(['due Katze 5'])
    expect(reminders.list()).toMatchObject([{ dueMs: startMs - 5 * minuteMs + dayMs }])
  })
})

it.each([
  ['en', 'move the dentist to Saturday'],
  ['en', 'move the dentist at 5 to Saturday'],
  ['en', 'change the dentist to November 28'],
  ['de', 'verschieb den dentist um 5 auf Samstag'],
  ['es', 'mueve el dentist al sábado'],
  ['fr', 'déplace le dentist à samedi'],
])('a reminder that is moved to another day keeps its time of day: %s %s', (language, text) => {
  const { reminders } = open()
  reminders.set(reminder('dentist', 60))
  expect(say(reminders, text, language)).toMatchObject({ event: 'changed' })
  expect(reminders.list()).toMatchObject([{ dueMs: startMs + 60 * minuteMs + 2 * dayMs }])
})

describe('at ten o’clock, a reminder that moves to a day keeps its time of day', () => {
  const day = 24 * 60

  it.each([
    ['move the dentist to today', day, 0],
    ['move the dentist to Thursday', day, 0],
    ['move the dentist to Thursday', 60, 60 + 7 * day],
    ['move the dentist to Saturday', 2 * day, 2 * day],
    ['move the dentist to November 28', 2 * day, 2 * day],
    ['move the dentist to November 26', 60, 60],
  ])(
    'on the first day on which that is to come, or next week if it is today: %s',
    (text, minutes, moved) => {
      const { reminders } = open()
      vi.setSystemTime(startMs - 6 * 60 * minuteMs)
      reminders.set(reminder('dentist', minutes))
      say(reminders, text)
      expect(reminders.list()).toMatchObject([{ dueMs: startMs + moved * minuteMs }])
    },
  )

  it('and stays as it is if that is over', () => {
    const { reminders } = open()
    vi.setSystemTime(startMs - 6 * 60 * minuteMs)
    const bins = reminder('bins', 16 * 60)
    reminders.set(bins)
    expect(() => say(reminders, 'move the bins to today')).toThrow('not-understood')
    expect(reminders.list()).toEqual([bins])
  })
})

it('a reminder that was said late keeps its usual time of day on another day', () => {
  const { reminders, events } = open()
  const recurrence = { days: [4], minuteOfDay: 8 * 60 }
  reminders.set(reminder('bins', -8 * 60, { recurrence }))
  say(reminders, 'move the bins to Friday')
  vi.advanceTimersByTime(8 * dayMs)
  expect(events).toEqual(['late bins -480', 'due bins 960', 'due bins 9600'])
})

describe('a reminder that repeats and is moved once', () => {
  const daily = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 16 * 60 + 5 }
  const everyTwoHours = { everyMs: 120 * minuteMs }
  const day = 24 * 60

  it.each([
    ['postpone the cat to 16:20', 0, ['due cat 20', `due cat ${5 + day}`]],
    ['move the cat to 16:03', 0, ['due cat 3', `due cat ${5 + day}`]],
    ['move the cat to tomorrow at 17:00', 0, [`due cat ${60 + day}`]],
    ['postpone the cat to 16:40', 30, ['due cat 5', 'due cat 40', `due cat ${5 + day}`]],
    ['move the cat to tomorrow at 9', 6 * 60, ['due cat 5', `due cat ${17 * 60}`]],
    ['move the cat to tomorrow', 0, [`due cat ${5 + day}`]],
  ])('to another time keeps its days: %s, %i minutes later', (text, minutes, expected) => {
    const { reminders, events } = open()
    reminders.set(reminder('cat', 5, { recurrence: daily }))
    vi.advanceTimersByTime(minutes * minuteMs)
    const { event } = say(reminders, text)
    expect(event).toBe('changed')
    vi.advanceTimersByTime((day + 60 - minutes) * minuteMs)
    expect(events).toEqual(expected)
    expect(reminders.list()).toMatchObject([{ recurrence: daily }])
  })

  it('to another time has other days if the text names some', () => {
    const { reminders } = open()
    reminders.set(reminder('cat', 5, { recurrence: daily }))
    say(reminders, 'move the cat to every Monday at 9')
    expect(reminders.list()).toMatchObject([{ recurrence: { days: [1] } }])
  })

  it('to an earlier time does not come again at its usual time on the same day', () => {
    const { reminders, events } = open()
    reminders.set(reminder('Katze', 5, { recurrence: daily }))
    say(reminders, 'verkürze die Katze um drei Minuten', 'de')
    vi.advanceTimersByTime(dayMs + 5 * minuteMs)
    expect(events).toEqual(['due Katze 2', `due Katze ${5 + day}`])
  })

  it.each([
    ['by ten minutes', 0, ['due drink 130', 'due drink 240', 'due drink 360']],
    ['by three hours', 0, ['due drink 300', 'due drink 360']],
    ['by ten minutes', 121, ['due drink 120', 'due drink 131', 'due drink 240', 'due drink 360']],
  ])('%s keeps its intervals, %i minutes later', (amount, minutes, expected) => {
    const { reminders, events } = open()
    reminders.set(reminder('drink', 120, { recurrence: everyTwoHours }))
    vi.advanceTimersByTime(minutes * minuteMs)
    say(reminders, `postpone the drink ${amount}`)
    vi.advanceTimersByTime((361 - minutes) * minuteMs)
    expect(events).toEqual(expected)
  })

  it('and again comes at its usual time after that', () => {
    const { reminders, events } = open()
    reminders.set(reminder('drink', 120, { recurrence: everyTwoHours }))
    say(reminders, 'postpone the drink by ten minutes')
    say(reminders, 'postpone the drink by ten minutes')
    vi.advanceTimersByTime(361 * minuteMs)
    expect(events).toEqual(['due drink 140', 'due drink 240', 'due drink 360'])
  })

  it('is late for the last time that was missed', async () => {
    const first = open()
    first.reminders.set(reminder('drink', 120, { recurrence: everyTwoHours }))
    say(first.reminders, 'postpone the drink by ten minutes')
    first.reminders.close()
    await first.store.flush()
    vi.setSystemTime(startMs + 140 * minuteMs)
    const second = open(first.path)
    expect(second.events).toEqual(['late drink 130'])
    expect(second.reminders.list()).toMatchObject([{ dueMs: startMs + 240 * minuteMs }])
    say(second.reminders, 'postpone the drink by two hours')
    second.reminders.close()
    await second.store.flush()
    vi.setSystemTime(startMs + 365 * minuteMs)
    expect(open(first.path).events).toEqual(['late drink 360'])
  })
})

describe('a reminder that repeats and is changed', () => {
  const workdays = { days: [1, 2, 3, 4, 5], minuteOfDay: 6 * 60 + 30 }

  it.each([
    ['to 7 am', 7 * 60],
    ['to half past seven', 7 * 60 + 30],
    ['to 17:00', 17 * 60],
  ])('keeps its days if only a time is said: %s', (time, minuteOfDay) => {
    const { reminders } = open()
    reminders.set(reminder('alarm', 5, { recurrence: workdays }))
    say(reminders, `change the alarm ${time}`)
    expect(reminders.list()).toMatchObject([{ recurrence: { ...workdays, minuteOfDay } }])
    const [{ dueMs }] = reminders.list() as [Reminder]
    vi.advanceTimersByTime(dueMs - startMs)
    expect(reminders.list()).toMatchObject([{ recurrence: { ...workdays, minuteOfDay } }])
  })

  const hour = 60
  const dailyAt = (minuteOfDay: number) => ({ days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay })

  it.each([
    [15 * hour, 7 * hour, 'change the alarm to 8:00', 16 * hour, 8 * hour, 'every day, 8:00 AM'],
    [3 * hour, 19 * hour, 'change the alarm to 8:00', 4 * hour, 20 * hour, 'every day, 8:00 PM'],
    [15 * hour, 7 * hour, 'change the alarm to noon', 20 * hour, 12 * hour, 'every day, 12:00 PM'],
    [15 * hour, 7 * hour, 'change the alarm to 8 p.m.', 4 * hour, 20 * hour, 'every day, 8:00 PM'],
  ])(
    'to another time of day keeps its days: due in %i min, at %i, %s',
    (due, minuteOfDay, text, dueThen, minuteThen, time) => {
      const { reminders } = open()
      reminders.set(reminder('alarm', due, { recurrence: dailyAt(minuteOfDay) }))
      expect(say(reminders, text).sentence).toBe(`Alarm: ${time}.`)
      expect(reminders.list()).toMatchObject([
        { dueMs: startMs + dueThen * minuteMs, recurrence: dailyAt(minuteThen) },
      ])
    },
  )

  it.each([
    ['change the alarm to tomorrow at 8:00', 16 * hour, 'tomorrow, 8:00 AM'],
    ['change the alarm to ten minutes', 10, '4:10 PM'],
  ])('to another day or to a duration moves once: %s', (text, minutes, time) => {
    const { reminders, events } = open()
    reminders.set(reminder('alarm', 15 * hour, { recurrence: dailyAt(7 * hour) }))
    expect(say(reminders, text).sentence).toBe(`Alarm: ${time}.`)
    vi.advanceTimersByTime(40 * hour * minuteMs)
    expect(events).toEqual([`due alarm ${minutes}`, `due alarm ${39 * hour}`])
  })

  it('to a time of day keeps its interval from then on', () => {
    const { reminders, events } = open()
    reminders.set(reminder('drink', 60, { recurrence: { everyMs: 120 * minuteMs } }))
    say(reminders, 'change the drink to 17:15')
    vi.advanceTimersByTime(4 * hour * minuteMs)
    expect(events).toEqual(['due drink 75', 'due drink 195'])
  })
})

describe('after a restart', () => {
  it('reminders are due as before, and those that were missed are late', async () => {
    const first = open()
    first.reminders.set(reminder('egg', 5))
    first.reminders.set(reminder('tea', 30, { half: true }))
    const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 16 * 60 + 5 }
    first.reminders.set(reminder('cat', 5, { recurrence }))
    first.reminders.close()
    await first.store.flush()
    vi.setSystemTime(startMs + 20 * minuteMs)
    const { events, reminders } = open(first.path)
    expect(events).toEqual(['late egg 5', 'late cat 5', 'half tea 30'])
    vi.advanceTimersByTime(10 * minuteMs)
    expect(events.slice(3)).toEqual(['due tea 30'])
    expect(reminders.list()).toMatchObject([{ name: 'cat', dueMs: startMs + 5 * minuteMs + dayMs }])
  })

  it('a daily reminder that was missed for a week is said once', async () => {
    const first = open()
    const recurrence = { days: [0, 1, 2, 3, 4, 5, 6], minuteOfDay: 18 * 60 }
    first.reminders.set(reminder('cat', 120, { recurrence }))
    first.reminders.close()
    await first.store.flush()
    vi.setSystemTime(startMs + 7 * dayMs)
    const { events } = open(first.path)
    expect(events).toEqual([`late cat ${120 + 6 * 24 * 60}`])
  })

  it.each([
    ['every day at midnight', 8 * 60],
    ['every night at twelve', 8 * 60],
    ['every night at half past twelve', 8 * 60 + 30],
  ])('a reminder for %s, which is in the night after its day, is due', async (text, minutes) => {
    const first = open()
    const clock = { nowMs: startMs, timeZone: 'Europe/Berlin' }
    const { recurrence, dueMs } = readWhen(text, reminderLanguage('en'), clock).when!
    first.reminders.set(reminder('heating', 0, { recurrence: recurrence!, dueMs }))
    first.reminders.close()
    await first.store.flush()
    const { events, reminders } = open(first.path)
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual([`due heating ${minutes}`])
    expect(reminders.list()).toMatchObject([{ dueMs: dueMs + dayMs }])
  })

  it('nothing is sent by a node that was closed', () => {
    const { reminders, events } = open()
    reminders.set(reminder('tea', 10))
    reminders.close()
    vi.advanceTimersByTime(dayMs)
    expect(events).toEqual([])
  })
})

it.each([
  {},
  { id: 1 },
  { dueMs: '5' },
  { timeZone: 'Mars/Olympus' },
  { recurrence: { everyMs: 0 } },
  { recurrence: { days: [], minuteOfDay: 5 } },
  { recurrence: { days: [9], minuteOfDay: 5 } },
  { recurrence: { days: [1], minuteOfDay: 2 * 24 * 60 } },
  { wantsHalf: 1 },
  { saidMs: '5' },
  { nextMs: '5' },
  { message: 5 },
])('a damaged entry of the file is ignored: %j', (changes) => {
  const value = Object.keys(changes).length === 0 ? {} : { ...reminder('tea', 5), ...changes }
  expect(isReminder(value)).toBe(false)
})
