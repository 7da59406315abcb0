import { RED } from '@parlando/test-support/node-red/fake-red'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dueMessage } from '../../../packages/node-red-nodes/src/nodes/remind/remind-messages.ts'
import { carryOut } from '../../../packages/node-red-nodes/src/reminders/carry-out-command.ts'
import {
  type CommandReader,
  type ReminderCommand,
  readSentence,
} from '../../../packages/node-red-nodes/src/reminders/parsing/read-command.ts'
import { readCommandObject } from '../../../packages/node-red-nodes/src/reminders/parsing/read-command-object.ts'
import {
  isReminder,
  type Reminder,
} from '../../../packages/node-red-nodes/src/reminders/reminder.ts'
import { Reminders } from '../../../packages/node-red-nodes/src/reminders/reminders.ts'
import {
  NodeInputError,
  NodeLimitError,
} from '../../../packages/node-red-nodes/src/runtime/failure.ts'
import type { SavedList } from '../../../packages/node-red-nodes/src/saved/saved-list.ts'
import { fuzz } from '../cases.ts'
import { anyJson, mutated } from '../inputs/json.ts'

const nodeId = 'node'
const phrases = [
  'in ten minutes',
  'at half past seven',
  'tomorrow at 7:30',
  'every weekday at six',
  'December 24 at 6 pm',
  'the bins',
  'change the tea to five minutes',
  'cancel',
  'cancel all',
  'how long is left?',
  'in einer Stunde',
  'jeden Montag um acht',
  'lösche alle',
  'übermorgen',
  'mañana a las siete',
  'cada dos horas',
  'cancela el té',
  'dans une demi-heure',
  'tous les jours à midi',
  'annule tout',
  '10分後',
  '明日の朝7時',
  'お茶を取り消し',
  '明天七点',
  '每天八点',
  '把茶改成五分钟后',
]
const words = phrases.flatMap((phrase) => phrase.split(' '))
const odd = ['2026-02-30', '29.2.', '24:00', '0', '99999999', '７', 'T', '\n', '\ue000', '\ud800']
const piece = fc.oneof(
  fc.constantFrom(...phrases),
  fc.constantFrom(...words),
  fc.constantFrom(...odd),
  fc.nat(70).map(String),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const text = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.constantFrom(' ', ' ', ''))
  .map(([pieces, separator]) => pieces.join(separator))
const language = fc.constantFrom('en-US', 'de', 'es-ES', 'fr', 'ja', 'zh-CN', 'it')
const timeZone = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata')
/** Of the next ten years, and the days on which clocks change. */
const now = fc.oneof(
  fc.integer({ min: 1_790_000_000, max: 2_100_000_000 }).map((seconds) => seconds * 1000),
  fc.constantFrom('2026-10-25T00:59:59Z', '2028-02-29T23:59:00Z').map(Date.parse),
)

/** A list in memory. */
function createStore(saved: readonly Reminder[] = []): SavedList<Reminder> {
  const entries = new Map(saved.map((entry) => [entry.id, entry]))
  return {
    of: () => [...entries.values()],
    save: (entry) => void entries.set(entry.id, entry),
    remove: (id) => void entries.delete(id),
    removeOf() {},
    flush: async () => {},
  }
}

function createReminders(saved: readonly Reminder[] = []) {
  const due: object[] = []
  const reminders = new Reminders({
    store: createStore(saved),
    nodeId,
    onDue: (reminder, event) => due.push(dueMessage(reminder, event, 'id')),
    onChange() {},
  })
  return { reminders, due }
}

/** Carries out a command, unless its input is rejected with a reason. */
function obey(
  read: (reader: CommandReader) => ReminderCommand,
  reader: CommandReader,
  reminders: Reminders,
) {
  try {
    const context = { reminders, nodeId, half: true, message: {}, ...reader, ...reader.clock }
    return carryOut(read(reader), context)
  } catch (error) {
    if (error instanceof NodeInputError || error instanceof NodeLimitError) return undefined
    throw error
  }
}

/** What the node sends can be said, and what it saves is a reminder after a restart. */
function checkReminders(reminders: Reminders, nowMs: number): void {
  for (const reminder of reminders.list()) {
    expect(reminder.dueMs).toBeGreaterThan(nowMs)
    expect(reminder.name).not.toMatch(/[\ue000-\ue0ff]/)
    expect(isReminder(JSON.parse(JSON.stringify(reminder)))).toBe(true)
    for (const event of ['due', 'half', 'late'] as const) {
      expect(dueMessage(reminder, event, 'id').payload).toMatch(/\S/)
    }
  }
}

it('whatever somebody says to a list of reminders has a sentence as the result, and each reminder survives a restart', async () => {
  const given = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 5 }),
    language,
    timeZone,
    nowMs: now,
  })
  await fuzz(given, async ({ texts, language, timeZone, nowMs }) => {
    const { reminders } = createReminders()
    const reader = { RED, language, clock: { nowMs, timeZone } }
    for (const said of texts) {
      const result = obey(() => readSentence(said, reader), reader, reminders)
      if (result) expect(result.sentence).toMatch(/^\S.{1,2000}$/su)
    }
    checkReminders(reminders, nowMs)
  })
})

const command = { command: 'set', when: 'in ten minutes', name: 'tea', half: true }

it('any object with a command has a sentence as the result or is rejected with a reason', async () => {
  const given = fc.oneof(
    mutated(command, 1),
    mutated({ command: 'change', name: 'tea', when: Date.parse('2027-01-01') }, 1),
    mutated({ command: 'cancel', all: true, name: '' }, 1),
    anyJson,
  )
  await fuzz(given, async (value) => {
    const { reminders } = createReminders()
    const nowMs = Date.parse('2026-11-26T15:00:00Z')
    const reader = { RED, language: 'en-US', clock: { nowMs, timeZone: 'Europe/Berlin' } }
    for (const each of [command, value]) {
      const result = obey(() => readCommandObject(each, reader), reader, reminders)
      if (result) expect(result.sentence).toMatch(/\S/)
    }
    checkReminders(reminders, nowMs)
  })
})

it('whatever is in the file of reminders, the node starts and says what is due', async () => {
  const saved: Reminder = {
    id: 'a',
    nodeId,
    name: 'tea',
    setMs: 1_790_000_000_000,
    dueMs: 1_790_000_600_000,
    durationMs: 600_000,
    timeZone: 'Europe/Berlin',
    language: 'en-US',
    half: true,
    message: { topic: 'kitchen' },
  }
  const given = fc.oneof(
    mutated(saved, 1),
    mutated({ ...saved, recurrence: { days: [1, 5], minuteOfDay: 480 } }, 1),
    mutated({ ...saved, dueMs: Date.now() + 1e9, recurrence: { everyMs: 60_000 } }, 1),
  )
  await fuzz(given, async (value) => {
    const { reminders, due } = createReminders([value].filter(isReminder))
    try {
      reminders.start()
      for (const message of due)
        expect(message).toMatchObject({ payload: expect.stringMatching(/\S/) })
      const reader = { RED, language: 'de', clock: { nowMs: Date.now(), timeZone: 'UTC' } }
      obey(() => ({ command: 'list', name: '' }), reader, reminders)
    } finally {
      reminders.close()
    }
  })
})
