import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from './find-program.ts'
import { wordsOf } from './words.ts'

const batchProgram = '/usr/bin/pocketsphinx_batch'
const models = '/usr/share/pocketsphinx/model/en-us'
const sampleRateHertz = 16_000

export const hasRecogniser = existsSync(batchProgram) && existsSync(models)

/**
 * Writes down what is said, by the recogniser that Debian brings (`pocketsphinx`, `pocketsphinx-en-us`).
 * @param speeches PCM of 16 bits at 16 kHz; a second of it takes about a tenth of a second.
 * @returns for each the words in small letters.
 */
export function recognise(speeches: readonly Uint8Array[]): Promise<string[][]> {
  return inFolder(async (folder) => {
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
    await promisify(execFile)(batchProgram, all, { maxBuffer: 1 << 28 })
    const lines = (await readFile(words, 'utf8')).trimEnd().split('\n')
    return lines.map((line) => wordsOf(line.replace(/\([^()]*\)$/, '')))
  })
}

/**
 * The same for one WAV at 16 kHz, when only these words can be in it: a weak recogniser that is soon done.
 * @returns `undefined` where none is installed.
 */
export async function recogniseAmong(
  words: readonly string[],
  wav: Uint8Array,
): Promise<string[] | undefined> {
  const lack = 'what was spoken is measured but not understood'
  const program = findProgram('pocketsphinx_continuous', lack)
  if (!program) return undefined
  return inFolder(async (folder) => {
    const file = (name: string) => join(folder, name)
    const choice = [...new Set(words)].join(' | ')
    await writeFile(file('heard.wav'), wav)
    await writeFile(
      file('words.gram'),
      `#JSGF V1.0;\ngrammar words;\npublic <heard> = (${choice})+;\n`,
    )
    const where = ['-infile', file('heard.wav'), '-jsgf', file('words.gram')]
    const { stdout } = await promisify(execFile)(program, [...where, '-logfn', file('log')])
    return wordsOf(stdout)
  })
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-heard-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
