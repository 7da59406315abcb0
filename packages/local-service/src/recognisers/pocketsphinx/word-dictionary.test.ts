import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keepWords, readModelWords } from './word-dictionary.ts'

it('a dictionary for any words has the pronunciations of the words of the language model', () => {
  const dictionary = 'read R EH D\nread(2) R IY D\nreader R IY D ER\nreads R IY D Z\n'
  expect(keepWords(dictionary, new Set(['read', 'reads']))).toBe(
    'read R EH D\nread(2) R IY D\nreads R IY D Z\n',
  )
})

describe('the words of a language model', () => {
  const words = ["'bout", 'read', 'zydeco']
  const text = Buffer.from(words.map((word) => `${word}\0`).join(''))

  function writeModel({ name = 'Trie Language Model', count = words.length, bytes = text.length }) {
    const [counted, summed] = [count, bytes].map((number) => {
      const field = Buffer.alloc(4)
      field.writeUInt32LE(number)
      return field
    }) as [Buffer, Buffer]
    const sequences = Buffer.from([3])
    const probabilities = Buffer.alloc(200)
    const parts = [Buffer.from(name), sequences, counted, probabilities, summed, text]
    return writeTemporary(Buffer.concat(parts))
  }

  it('are at the end of its file', () => {
    expect(readModelWords(writeModel({}))).toEqual(new Set(words))
  })

  it.each([
    ['another name', { name: 'Darpa Trigram LM ..' }],
    ['more words than it contains', { count: 5 }],
    ['fewer words than it contains', { count: 2 }],
    ['no words', { count: 0 }],
    ['another number of bytes', { bytes: text.length - 1 }],
  ])('are unknown in a file with %s', (_what, file) => {
    expect(readModelWords(writeModel(file))).toBeUndefined()
  })

  it('are unknown in an empty file', () => {
    expect(readModelWords(writeTemporary(Buffer.alloc(0)))).toBeUndefined()
  })
})

function writeTemporary(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'en-us.lm.bin')
  writeFileSync(path, bytes)
  return path
}
