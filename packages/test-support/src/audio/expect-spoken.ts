import { writeWavHeader } from '@parlando/core/audio'
import decode from 'audio-decode'
import { expect, TestRunner } from 'vitest'
import { countWordsInOrder, wordsOf } from './compare-words.ts'
import { needsRecogniser, recogniseWithVocabulary } from './recogniser.ts'
import type { RecordedSound } from './recorded-sound.ts'

/** The first channel of an audio file; samples from -1 to 1. */
export interface DecodedAudio {
  samples: Float32Array
  sampleRateHertz: number
  seconds: number
  /** Root mean square, 0…1; typical for speech: 0.1. */
  loudness: number
}

/** Decodes a WAV, MP3 or other file as a player would. @throws {Error} if it cannot be decoded. */
export async function decodeAudio(file: Uint8Array): Promise<DecodedAudio> {
  const { channelData, sampleRate } = await decode(file)
  const samples = channelData[0]
  if (!samples?.length) throw new Error('The file contains no audio samples')
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return {
    samples,
    sampleRateHertz: sampleRate,
    seconds: samples.length / sampleRate,
    loudness: Math.sqrt(power),
  }
}

// The voices of this device score at least 0.75 for the right text, and at most 0.6 for another text of the same length.
const minShareUnderstood = 0.7

// The recogniser is weak, so its vocabulary contains only these words and the words of the text. They are enough that
// another text fails.
const otherWords =
  'about after another because before children coffee country eleven family garden green important little money morning mother music never number paper people picture question river school seven small summer system today together under until water which window winter without yellow'.split(
    ' ',
  )

/** A fast speaker reaches about 5 words per second, a slow one less than 2. */
const secondsPerWord = { min: 0.15, max: 0.9 }

/**
 * Expects an audio file to contain this text as speech: its duration and level must be plausible, and the speech
 * recogniser must understand the text, if it is installed.
 */
export async function expectSpoken(file: Uint8Array, text: string): Promise<DecodedAudio> {
  const sound = await decodeAudio(file)
  const words = wordsOf(text)
  const count = words.length
  expect(sound.seconds / count).toBeGreaterThan(secondsPerWord.min)
  expect(sound.seconds / count).toBeLessThan(secondsPerWord.max)
  expect(sound.loudness).toBeGreaterThan(0.03)
  expectWords(words, await recogniseWithVocabulary([...words, ...otherWords], toWav(sound, 16_000)))
  return sound
}

/** Expects the recording of a speaker to contain this text as speech. */
export async function expectHeard(heard: RecordedSound, text: string): Promise<void> {
  const words = wordsOf(text)
  expect(heard.isSilent).toBe(false)
  expect(heard.durationMs / words.length).toBeGreaterThan(1000 * secondsPerWord.min)
  const vocabulary = [...words, ...otherWords]
  const whole = await heard.recognise(vocabulary)
  if (isUnderstood(words, whole)) return
  // A chime before the words is taken for a word, and may swallow their first one.
  for (const { at, ms } of heard.gaps.filter((gap) => gap.ms >= 100)) {
    if (isUnderstood(words, await heard.recognise(vocabulary, at + ms - 20))) return
  }
  expectWords(words, whole)
}

/** @param recognised `undefined` if no recogniser is installed. */
function isUnderstood(
  words: readonly string[],
  recognised: readonly string[] | undefined,
): boolean {
  return recognised === undefined || shareOf(words, recognised) >= minShareUnderstood
}

function shareOf(words: readonly string[], recognised: readonly string[]): number {
  return countWordsInOrder(words, recognised) / words.length
}

function expectWords(words: readonly string[], recognised: readonly string[] | undefined): void {
  if (recognised === undefined) {
    TestRunner.getCurrentTest()!.meta.missing = needsRecogniser().meta.missing
    return
  }
  const share = shareOf(words, recognised)
  const problem = `the recogniser understood "${recognised.join(' ')}" instead of "${words.join(' ')}"`
  expect(share, problem).toBeGreaterThanOrEqual(minShareUnderstood)
}

/** Resamples with linear interpolation, which is good enough for the recogniser. */
function toWav({ samples, sampleRateHertz, seconds }: DecodedAudio, rateHertz: number): Buffer {
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
