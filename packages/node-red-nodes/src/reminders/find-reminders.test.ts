import { describe, expect, it } from 'vitest'
import { remindersNamed } from './find-reminders.ts'
import type { Reminder } from './reminder.ts'

const reminder = (name: string): Reminder => ({
  id: `id of ${name}`,
  nodeId: 'node',
  name,
  setMs: 0,
  dueMs: 60_000,
  timeZone: 'Europe/Berlin',
  language: 'en',
  message: {},
})

describe('a reminder is found by', () => {
  it.each([
    ['a part of its name', 'tea', ['the tea', 'eggs'], ['the tea']],
    ['more than its name', 'the tea', ['tea', 'eggs'], ['tea']],
    ['its name in any letter case', 'TEA', ['tea', 'the tea'], ['tea']],
    ['its id', 'id of tea', ['tea', 'the tea'], ['tea']],
    ['the beginning of a German compound', 'Pizza', ['Pizzatimer', 'Kuchen'], ['Pizzatimer']],
    ['a German compound that begins with it', 'den Teetimer', ['Tee', 'Kuchen'], ['Tee']],
    ['a word behind an apostrophe', 'eau', ['l’eau chaude'], ['l’eau chaude']],
    ['the beginning of a word, but not by a part within it', 'last', ['plastic', 'ballast'], []],
    [
      'the beginning of a longer word, but not by a part within that',
      'the party',
      ['art', 'part'],
      ['part'],
    ],
    ['a number, but not by a part of one', '5', ['room 15', 'room 5'], ['room 5']],
    ['a part of its name in Chinese', '茶', ['喝茶', '倒垃圾'], ['喝茶']],
    ['more than its name in Chinese', '喝茶的', ['茶'], ['茶']],
    ['a part of its name in Japanese', 'ゴミ', ['朝のゴミ出し'], ['朝のゴミ出し']],
    ['nothing, if it has no name', 'tea', [''], []],
  ])('%s: %s', (_title, wanted, names, expected) => {
    expect(remindersNamed(names.map(reminder), wanted).map(({ name }) => name)).toEqual(expected)
  })
})
