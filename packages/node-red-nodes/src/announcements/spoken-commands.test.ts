import { describe, expect, it } from 'vitest'
import { commandSentences, findCommand } from './spoken-commands.ts'

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

it('a command in Chinese may have traditional characters, as Whisper often writes them', () => {
  const chinese = commandSentences('zh-CN')!
  expect(findCommand(chinese, '再來一次')).toBe('again')
  expect(findCommand(chinese, '沒問題。')).toBe('acknowledge')
})

it('there are none in other languages', () => {
  expect(commandSentences('it')).toBeUndefined()
})
