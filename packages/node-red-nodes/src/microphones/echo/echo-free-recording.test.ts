import { createRandom } from '@parlando/test-support/vitest/random'
import { describe, expect, it } from 'vitest'
import { EchoFreeRecording } from './echo-free-recording.ts'

const rateHertz = 16_000

/** Noise with the rhythm of syllables. */
function speechLike(seconds: number, seed: number): Float32Array {
  const random = createRandom(seed)
  let before = 0
  return new Float32Array(seconds * rateHertz).map((_, at) => {
    before = 0.7 * before + (random() - 0.5)
    return 0.2 * before * Math.max(0.05, Math.sin((2 * Math.PI * 3 * at) / rateHertz))
  })
}

/** What a microphone hears of a sound: late, with two reflections. */
function echoOf(sound: Float32Array, delaySamples: number): Float32Array {
  const paths = [
    [0, 0.4],
    [190, 0.15],
    [620, -0.1],
  ] as const
  return sound.map((_, at) =>
    paths.reduce((sum, [late, gain]) => sum + gain * (sound[at - delaySamples - late] ?? 0), 0),
  )
}

const powerOf = (samples: Float32Array, start: number, end: number) =>
  samples.subarray(start, end).reduce((sum, sample) => sum + sample ** 2, 0)
const decibels = (ratio: number) => 10 * Math.log10(ratio)

/** Passes a recording on in packets of 20 ms. */
function remove(played: Float32Array, recorded: Float32Array, startedSamples = 0) {
  const recording = new EchoFreeRecording(startedSamples)
  recording.play(played)
  const pieces: Float32Array[] = []
  for (let at = 0; at < recorded.length; at += 320) {
    pieces.push(recording.record(recorded.subarray(at, at + 320)))
  }
  const output = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    output.set(piece, at)
    at += piece.length
  }
  return { recording, output }
}

describe('a recording next to a speaker', () => {
  const sound = speechLike(4, 1)
  const [start, end] = [2.5 * rateHertz, 3.8 * rateHertz]

  it.each([40, 2_000, 12_000])('loses the echo of the sound, %i samples late', (delay) => {
    const recorded = echoOf(sound, delay)
    const { output, recording } = remove(sound, recorded)
    expect(decibels(powerOf(recorded, start, end) / powerOf(output, start, end))).toBeGreaterThan(
      15,
    )
    const { isSettled, rest, echo } = recording.between(start, end)
    expect(isSettled).toBe(true)
    expect(decibels(rest / echo)).toBeLessThan(-15)
  })

  it('is so quiet where only the sound is heard that no detector takes the rest for speech', () => {
    const recorded = echoOf(sound, 900)
    const { output } = remove(sound, recorded)
    expect(decibels(powerOf(recorded, start, end) / powerOf(output, start, end))).toBeGreaterThan(
      40,
    )
  })

  it('keeps a voice that speaks at the same time', () => {
    const voice = new Float32Array(sound.length)
    voice.set(speechLike(1, 9).reverse(), start)
    const recorded = echoOf(sound, 900).map((sample, at) => sample + 0.4 * voice[at]!)
    const { output, recording } = remove(sound, recorded)
    const near = 0.16 * powerOf(voice, start, start + rateHertz)
    expect(Math.abs(decibels(powerOf(output, start, start + rateHertz) / near))).toBeLessThan(4)
    const { rest, echo } = recording.between(start, start + rateHertz)
    expect(decibels(rest / echo)).toBeGreaterThan(-9)
  })

  it('is not changed if it does not contain the sound', () => {
    const recorded = speechLike(4, 5).reverse()
    const { output, recording } = remove(sound, recorded)
    expect(output.every((sample, at) => sample === recorded[at])).toBe(true)
    expect(recording.between(0, Infinity).isSettled).toBe(false)
  })
})
