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
const minWordsUnderstood = 0.7

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
