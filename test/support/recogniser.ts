import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const program = '/usr/bin/pocketsphinx_batch'
const models = '/usr/share/pocketsphinx/model/en-us'
const sampleRateHertz = 16_000

export const hasRecogniser = existsSync(program) && existsSync(models)

/**
 * Writes down what is said, by the recogniser that Debian brings (`pocketsphinx`, `pocketsphinx-en-us`).
 * @param speeches PCM of 16 bits at 16 kHz; a second of it takes about a tenth of a second.
 * @returns for each the words in small letters.
 */
export async function recognise(speeches: readonly Uint8Array[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-speech-'))
  try {
    const names = speeches.map((_, index) => String(index))
    for (const [index, speech] of speeches.entries()) {
      const pause = Buffer.alloc(sampleRateHertz / 2)
      await writeFile(join(folder, `${index}.raw`), Buffer.concat([pause, speech, pause]))
    }
    await writeFile(join(folder, 'names'), `${names.join('\n')}\n`)
    const words = join(folder, 'words')
    const where = ['-cepdir', folder, '-ctl', join(folder, 'names'), '-hyp', words]
    const files = ['-adcin', 'yes', '-cepext', '.raw', '-adchdr', '0']
    const model = ['-hmm', join(models, 'en-us'), '-lm', join(models, 'en-us.lm.bin')]
    const dictionary = ['-dict', join(models, 'cmudict-en-us.dict')]
    // Half the time for two words in a hundred more that are misheard.
    const speed = ['-maxhmmpf', '2000', '-maxwpf', '8', '-topn', '2']
    const all = [...where, ...files, ...model, ...dictionary, ...speed]
    await promisify(execFile)(program, all, { maxBuffer: 1 << 28 })
    const lines = (await readFile(words, 'utf8')).trimEnd().split('\n')
    return lines.map((line) => toWords(line.replace(/\([^()]*\)$/, '')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns how many words must be changed, left out or added, as a share of the words that were said. */
export function wordErrorRate(
  said: readonly string[],
  heard: readonly (readonly string[])[],
): number {
  let errors = 0
  let count = 0
  for (const [index, text] of said.entries()) {
    const words = toWords(text)
    errors += distance(words, heard[index] ?? [])
    count += words.length
  }
  return errors / count
}

function distance(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (const word of first) {
    const next = [row[0]! + 1]
    for (const [index, other] of second.entries()) {
      const replaced = row[index]! + (word === other ? 0 : 1)
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[^a-z' ]/g, '')
    .split(' ')
    .filter((word) => word !== '')
}
