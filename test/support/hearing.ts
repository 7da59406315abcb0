import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeWavHeader } from '@parlando/core/audio'
import decode from 'audio-decode'
import { expect } from 'vitest'
import { findProgram } from './programs.ts'

/** Mono sound, samples from -1 to 1. */
export interface HeardSound {
  samples: Float32Array
  sampleRateHertz: number
  seconds: number
  /** Root mean square, 0…1; speech lies around 0.1. */
  loudness: number
}

/** Decodes a file as a player would: WAV, MP3 and others. @throws {Error} when it cannot be decoded. */
async function listen(file: Uint8Array): Promise<HeardSound> {
  const { channelData, sampleRate } = await decode(file)
  const samples = channelData[0]
  if (!samples?.length) throw new Error('the file holds no sound')
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return {
    samples,
    sampleRateHertz: sampleRate,
    seconds: samples.length / sampleRate,
    loudness: Math.sqrt(power),
  }
}

// Of the right text the voices of this device get 0.75 and more, of another text of the same length 0.6 at most.
const leastWordsUnderstood = 0.7

// The recogniser is a weak one, so it hears these and the words of the text, and no others: enough to go wrong on what
// is not the text.
const otherWords =
  'about after another because before children coffee country eleven family garden green important little money morning mother music never number paper people picture question river school seven small summer system today together under until water which window winter without yellow'.split(
    ' ',
  )

/** A person in a hurry speaks some 5 words a second, a slow one less than 2. */
const secondsOfOneWord = { min: 0.15, max: 0.9 }

/** Expects a file to hold this text: as long and as loud as speech is, and understood where a recogniser is installed. */
export async function expectSpoken(file: Uint8Array, text: string): Promise<HeardSound> {
  const sound = await listen(file)
  const count = wordsOf(text).length
  expect(sound.seconds / count).toBeGreaterThan(secondsOfOneWord.min)
  expect(sound.seconds / count).toBeLessThan(secondsOfOneWord.max)
  expect(sound.loudness).toBeGreaterThan(0.03)
  const heard = await recognise(sound, wordsOf(text))
  if (heard !== undefined) {
    const share = wordsInOrder(wordsOf(text), wordsOf(heard)) / count
    expect(share, `"${heard}" was heard for "${text}"`).toBeGreaterThanOrEqual(leastWordsUnderstood)
  }
  return sound
}

/** The words that a speech recogniser hears, of these and others; undefined where none is installed. */
async function recognise(sound: HeardSound, words: readonly string[]): Promise<string | undefined> {
  const lack = 'what was spoken is measured but not understood'
  const program = findProgram('pocketsphinx_continuous', lack)
  if (!program) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'parlando-heard-'))
  try {
    const [wav, grammar, log] = ['heard.wav', 'words.gram', 'log'].map((file) => join(folder, file))
    const known = [...new Set([...words, ...otherWords])].join(' | ')
    await writeFile(wav!, toWav(sound, 16_000))
    await writeFile(grammar!, `#JSGF V1.0;\ngrammar words;\npublic <heard> = (${known})+;\n`)
    const settings = ['-infile', wav!, '-jsgf', grammar!, '-logfn', log!]
    const { stdout } = await promisify(execFile)(program, settings)
    return stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Between the samples it goes straight, which is good enough for a recogniser. */
function toWav({ samples, sampleRateHertz, seconds }: HeardSound, rateHertz: number): Buffer {
  const data = Buffer.alloc(2 * Math.floor(seconds * rateHertz))
  for (let index = 0; index < data.length / 2; index++) {
    const at = (index * sampleRateHertz) / rateHertz
    const before = samples[Math.floor(at)] ?? 0
    const after = samples[Math.floor(at) + 1] ?? before
    const value = before + (after - before) * (at % 1)
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32767), 2 * index)
  }
  return Buffer.concat([
    writeWavHeader({ sampleRateHertz: rateHertz, dataBytes: data.length }),
    data,
  ])
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? []
}

/**
 * How many of the spoken words were heard, in their order: the longest common subsequence. Words put in are not counted,
 * because a recogniser that may hear any word at any time puts short ones into every pause.
 */
function wordsInOrder(spoken: readonly string[], heard: readonly string[]): number {
  let row = [0, ...heard.map(() => 0)]
  for (const word of spoken) {
    const next = [0]
    for (const [index, other] of heard.entries()) {
      next.push(word === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
    }
    row = next
  }
  return row.at(-1)!
}
