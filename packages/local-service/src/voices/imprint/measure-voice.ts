import { speechLevel } from '../../audio/loudness.ts'
import { quantile } from '../../audio/signal.ts'
import type { VoiceProfile } from '../profile.ts'
import { createEnvelopeReader, emphasise } from './envelope.ts'
import { envelopeBands } from './envelope-bands.ts'
import { anyVoice, framesPerSecond, PitchTracker, peakOffset } from './pitch-tracker.ts'
import { syllablesPerSecond } from './syllables.ts'

/** The sample rate of the samples that are measured. */
export const measuringRateHertz = 16_000

const bandHertz = measuringRateHertz / 2 / envelopeBands
const frameSamples = 400
const minVoicedFrames = 50
// A pitch further from the median is an octave error.
const maxOctaves = 0.75

/**
 * Measures a voice in at least a few seconds of speech. Takes about 5 ms of CPU per second of speech.
 * @param samples mono, at `measuringRateHertz`.
 * @returns `undefined` if less than half a second of the speech has a pitch.
 */
export function measureVoice(samples: Float32Array): VoiceProfile | undefined {
  const pitches = trackPitch(samples)
  const voiced = pitches.filter((pitch) => pitch > 0).map(Math.log2)
  if (voiced.length < minVoicedFrames) return undefined
  const middle = quantile(voiced, 0.5)
  const kept = voiced.filter((pitch) => Math.abs(pitch - middle) < maxOctaves)
  const envelopes = voicedEnvelopes(samples, pitches)
  return {
    version: 1,
    pitch: {
      medianHertz: round(2 ** quantile(kept, 0.5), 1),
      rangeSemitones: round(12 * (quantile(kept, 0.9) - quantile(kept, 0.1)), 2),
    },
    envelopeDecibels: meanEnvelope(envelopes),
    formantsHertz: formants(envelopes),
    syllablesPerSecond: round(Math.max(0.5, syllablesPerSecond(samples, measuringRateHertz)), 2),
    level: round(speechLevel(samples, measuringRateHertz), 4),
  }
}

function trackPitch(samples: Float32Array): number[] {
  const tracker = new PitchTracker(measuringRateHertz, anyVoice)
  tracker.push(samples)
  return Array.from({ length: tracker.length }, (_, frame) => tracker.at(frame))
}

function voicedEnvelopes(samples: Float32Array, pitches: readonly number[]): Float64Array[] {
  const emphasised = emphasise(samples)
  const reader = createEnvelopeReader(frameSamples, envelopeBands)
  const envelopes: Float64Array[] = []
  for (let frame = 3; frame < pitches.length - 1; frame += 2) {
    if (pitches.slice(frame - 1, frame + 2).some((pitch) => pitch === 0)) continue
    const start = (frame * measuringRateHertz) / framesPerSecond - frameSamples / 2
    if (start + frameSamples > samples.length) break
    const envelope = reader.read(emphasised.subarray(start, start + frameSamples))
    if (envelope) envelopes.push(envelope)
  }
  return envelopes
}

function meanEnvelope(envelopes: readonly Float64Array[]): number[] {
  const sums = new Float64Array(envelopeBands)
  for (const envelope of envelopes) {
    envelope.forEach((decibels, band) => {
      sums[band]! += decibels / envelopes.length
    })
  }
  const mean = sums.reduce((sum, decibels) => sum + decibels, 0) / envelopeBands
  return Array.from(sums, (decibels) => round(decibels - mean, 2))
}

function formants(envelopes: readonly Float64Array[]): VoiceProfile['formantsHertz'] {
  const found: [number[], number[], number[], number[]] = [[], [], [], []]
  for (const envelope of envelopes) {
    let formant = 0
    for (let band = 3; band < 90 && formant < found.length; band++) {
      if (envelope[band]! <= envelope[band - 1]! || envelope[band]! < envelope[band + 1]!) continue
      found[formant]!.push((band + peakOffset(envelope, band)) * bandHertz)
      formant += 1
    }
  }
  const medians = found.map((frequencies) => round(Math.max(20, quantile(frequencies, 0.5)), 0))
  return medians as VoiceProfile['formantsHertz']
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

// 190 to 6500 Hz. Below is room noise; above, the filters of recorders and engines leave gaps of 30 dB.
const comparedBands = [3, 104] as const

/** The difference in timbre between two voices, independent of loudness: the standard deviation of their envelopes, in dB. */
export function envelopeDistance(first: VoiceProfile, second: VoiceProfile): number {
  const differences = first.envelopeDecibels
    .map((decibels, band) => decibels - second.envelopeDecibels[band]!)
    .slice(...comparedBands)
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / differences.length)
}
