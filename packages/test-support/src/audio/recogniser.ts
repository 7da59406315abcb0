import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, type Needs, needs } from '../programs/installed-programs.ts'
import { wordsOf } from './compare-words.ts'

const model = '/usr/share/pocketsphinx/model/en-us'
const sampleRateHertz = 16_000

/** On a busy machine, recognising a sentence takes ten times as long. */
const recognitionTimeoutMs = 120_000

/** The options of tests in which the local service, or this file, recognises speech. */
export function needsRecogniser(): Needs & { timeout: number } {
  const needed = needs('pocketsphinx_batch', 'pocketsphinx_continuous', model)
  return { ...needed, timeout: recognitionTimeoutMs }
}

/**
 * Transcribes speech with Debian's recogniser (`pocketsphinx`, `pocketsphinx-en-us`).
 * @param speeches 16-bit PCM at 16 kHz; a second of audio takes about 0.1 s.
 * @returns the words of each speech in lower case.
 */
export async function recognise(speeches: readonly Uint8Array[]): Promise<string[][]> {
  const share = Math.ceil(speeches.length / availableParallelism())
  const batches = []
  for (let start = 0; start < speeches.length; start += share) {
    batches.push(recogniseBatch(speeches.slice(start, start + share)))
  }
  return (await Promise.all(batches)).flat()
}

function recogniseBatch(speeches: readonly Uint8Array[]): Promise<string[][]> {
  return inTemporaryFolder(async (folder) => {
    const names = speeches.map((_, index) => String(index))
    for (const [index, speech] of speeches.entries()) {
      const pause = Buffer.alloc(sampleRateHertz / 2)
      await writeFile(join(folder, `${index}.raw`), Buffer.concat([pause, speech, pause]))
    }
    await writeFile(join(folder, 'names'), `${names.join('\n')}\n`)
    const words = join(folder, 'words')
    const where = ['-cepdir', folder, '-ctl', join(folder, 'names'), '-hyp', words]
    const files = ['-adcin', 'yes', '-cepext', '.raw', '-adchdr', '0']
    const acoustics = ['-hmm', join(model, 'en-us'), '-lm', join(model, 'en-us.lm.bin')]
    const dictionary = ['-dict', join(model, 'cmudict-en-us.dict')]
    // Doubles the speed, at the price of two more errors per hundred words.
    const speed = ['-maxhmmpf', '2000', '-maxwpf', '8', '-topn', '2']
    const all = [...where, ...files, ...acoustics, ...dictionary, ...speed]
    await promisify(execFile)('pocketsphinx_batch', all, { maxBuffer: 1 << 28 })
    const lines = (await readFile(words, 'utf8')).trimEnd().split('\n')
    return lines.map((line) => wordsOf(line.replace(/\([^()]*\)$/, '')))
  })
}

/**
 * Transcribes one WAV file at 16 kHz with only these words as the vocabulary: inaccurate, but fast.
 * @returns `undefined` if no recogniser is installed.
 */
export async function recogniseWithVocabulary(
  words: readonly string[],
  wav: Uint8Array,
): Promise<string[] | undefined> {
  const program = findProgram('pocketsphinx_continuous')
  if (!program || !findProgram(model)) return undefined
  return inTemporaryFolder(async (folder) => {
    const file = (name: string) => join(folder, name)
    const choice = [...new Set(words)].join(' | ')
    await writeFile(file('speech.wav'), wav)
    await writeFile(
      file('words.gram'),
      `#JSGF V1.0;\ngrammar words;\npublic <speech> = (${choice})+;\n`,
    )
    const where = ['-infile', file('speech.wav'), '-jsgf', file('words.gram')]
    const { stdout } = await promisify(execFile)(program, [...where, '-logfn', file('log')])
    return wordsOf(stdout)
  })
}

async function inTemporaryFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-recogniser-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
