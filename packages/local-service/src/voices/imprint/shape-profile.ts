import type { VoiceProfile } from '../profile.ts'
import { envelopeBands } from './envelope-bands.ts'
import { between } from './equaliser.ts'

/** How a derived voice differs from its base. */
export interface VoiceShape {
  pitchHertz: number
  /** Below 1 the vocal tract is longer, and the voice sounds older or more male. Default 1. */
  formantFactor?: number
  /** Gain of the highest over the lowest frequencies. Default 0. */
  brightnessDecibels?: number
  /** Factor of the speed. Default 1. */
  pace?: number
  /** Factor of the range of the melody. Default 1. */
  liveliness?: number
}

/** @returns the profile of a derived voice: the given profile with another pitch, size, brightness or pace. */
export function shapeProfile(profile: VoiceProfile, shape: VoiceShape): VoiceProfile {
  const { pitchHertz, formantFactor = 1, brightnessDecibels = 0, pace = 1, liveliness = 1 } = shape
  const [first, second, third, fourth] = profile.formantsHertz
  return {
    ...profile,
    pitch: {
      medianHertz: pitchHertz,
      rangeSemitones: profile.pitch.rangeSemitones * liveliness,
    },
    envelopeDecibels: profile.envelopeDecibels.map((_, band) => {
      const tilt = brightnessDecibels * (band / envelopeBands - 0.5)
      return between(profile.envelopeDecibels, band / formantFactor) + tilt
    }),
    formantsHertz: [
      first * formantFactor,
      second * formantFactor,
      third * formantFactor,
      fourth * formantFactor,
    ],
    syllablesPerSecond: profile.syllablesPerSecond * pace,
  }
}
