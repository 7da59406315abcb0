import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PocketsphinxLibrary } from './pocketsphinx-library.ts'

/**
 * Writes a dictionary of the words that the language model contains: the search for any words finds no others. It is half as long as
 * that of the model, which every decoder reads, and it exists only in memory.
 * @returns its path, in this process; that of the whole dictionary if the language model has another format.
 */
export function writeWordDictionary(library: PocketsphinxLibrary, model: string): string {
  const whole = join(model, 'cmudict-en-us.dict')
  const words = readModelWords(join(model, 'en-us.lm.bin'))
  if (!words) return whole
  const file = library.memfd_create('words.dict', 0) as number
  if (file < 0) return whole
  writeFileSync(file, keepWords(readFileSync(whole, 'latin1'), words), 'latin1')
  return `/proc/self/fd/${file}`
}

/** @param dictionary with lines such as `read R EH D` and `read(2) R IY D`. */
export function keepWords(dictionary: string, words: ReadonlySet<string>): string {
  const lines = dictionary.split('\n').filter((line) => {
    const word = line.slice(0, line.indexOf(' '))
    return words.has(word) || words.has(word.replace(/\(\d\)$/, ''))
  })
  return `${lines.join('\n')}\n`
}

const magic = 'Trie Language Model'
const headerBytes = magic.length + 5
// Of the language model of US English, a word has 8 bytes on average.
const maxWordBytes = 32

/**
 * Reads the words at the end of a language model in the binary format of sphinxbase: the sum of their bytes, and each word with a
 * zero. Source: `ngram_model_trie.c` of sphinxbase 5prealpha.
 * @returns undefined if the file has another format.
 */
export function readModelWords(path: string): ReadonlySet<string> | undefined {
  const file = openSync(path, 'r')
  try {
    const header = readBytes(file, 0, headerBytes)
    const name = header.toString('latin1', 0, magic.length)
    if (header.length < headerBytes || name !== magic) return undefined
    // After the name, the length of the longest sequence of words: one byte.
    const count = header.readUInt32LE(magic.length + 1)
    const { size } = fstatSync(file)
    const tail = readBytes(file, Math.max(0, size - count * maxWordBytes), size)
    const words = tail
      .toString('latin1')
      .split('\0')
      .slice(-count - 1, -1)
    return isWholeList(tail, words, count) ? new Set(words) : undefined
  } finally {
    closeSync(file)
  }
}

/** Whether the number before the words is the sum of their bytes. */
function isWholeList(tail: Buffer, words: readonly string[], count: number): boolean {
  const bytes = words.reduce((sum, word) => sum + word.length + 1, 0)
  const sumAt = tail.length - bytes - 4
  return words.length === count && sumAt >= 0 && tail.readUInt32LE(sumAt) === bytes
}

function readBytes(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start)
  const read = readSync(file, bytes, 0, bytes.length, start)
  return bytes.subarray(0, read)
}
