import { writeWavHeader } from '@parlando/core/audio'
import decode from 'audio-decode'
import { expect } from 'vitest'
import { recogniseAmong } from './recogniser.ts'
import { wordsInOrder, wordsOf } from './words.ts'

/** Mono sound, samples from -1 to 1. */
export interface HeardSound {
  samples: Float32Array
  sampleRateHertz: number
  seconds: number
  /** Root mean square, 0…1; typical for speech: 0.1. */
  loudness: number
}

/** Decodes a WAV, MP3 or other file as a player would. @throws {Error} if it cannot be decoded. */
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

// The voices of this device score at least 0.75 for the right text, and at most 0.6 for another text of the same length.
const minWordsUnderstood = 0.7

// The recogniser is weak, so its vocabulary contains only these words and those of the text: enough to fail for another
// text.
const otherWords =
  'about after another because before children coffee country eleven family garden green important little money morning mother music never number paper people picture question river school seven small summer system today together under until water which window winter without yellow'.split(
    ' ',
  )

/** Words per second: a fast speaker reaches about 5, a slow one less than 2. */
const secondsOfOneWord = { min: 0.15, max: 0.9 }

/** Expects a file to contain this text: with the length and level of speech, and understood by the recogniser if installed. */
export async function expectSpoken(file: Uint8Array, text: string): Promise<HeardSound> {
  const sound = await listen(file)
  const words = wordsOf(text)
  const count = words.length
  expect(sound.seconds / count).toBeGreaterThan(secondsOfOneWord.min)
  expect(sound.seconds / count).toBeLessThan(secondsOfOneWord.max)
  expect(sound.loudness).toBeGreaterThan(0.03)
  const heard = await recogniseAmong([...words, ...otherWords], toWav(sound, 16_000))
  if (heard !== undefined) {
    const share = wordsInOrder(words, heard) / count
    const problem = `"${heard.join(' ')}" was heard for "${text}"`
    expect(share, problem).toBeGreaterThanOrEqual(minWordsUnderstood)
  }
  return sound
}

/** Linear interpolation is good enough for a recogniser. */
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
