import { describe, expect, it } from 'vitest'
import { commandSentences, contains, findCommand } from './spoken-commands.ts'

const languages = ['en-US', 'de', 'es-ES', 'fr', 'ja', 'zh-CN']

describe.each(languages)('the commands in %s', (language) => {
  const sentences = commandSentences(language)!

  it('mean one thing each', () => {
    const all = Object.entries(sentences).flatMap(([command, texts]) =>
      texts.map((text) => ({ command, text })),
    )
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length)
    for (const { command, text } of all) expect(findCommand(sentences, text)).toBe(command)
  })
})

const english = commandSentences('en-US')!

it('a command is a whole sentence, in any capitals, with any punctuation', () => {
  expect(findCommand(english, 'Stop!')).toBe('stop')
  expect(findCommand(english, 'Say it  again.')).toBe('again')
  expect(findCommand(english, 'stop the machine')).toBeUndefined()
  expect(findCommand(english, '')).toBeUndefined()
  expect(findCommand(commandSentences('de')!, 'Spater')).toBe('later')
})

it('there are none in other languages', () => {
  expect(commandSentences('it')).toBeUndefined()
})

it.each([
  ['The bus will stop here.', true],
  ['The bus stopped here.', false],
  ['STOP, says the sign', true],
  ['The washing is done.', false],
])('the words of a command are found in what is announced: %s', (text, expected) => {
  expect(contains(text, english.stop)).toBe(expected)
})

it('they are found in a language without spaces', () => {
  expect(contains('バスはここでストップします', commandSentences('ja')!.stop)).toBe(true)
})
