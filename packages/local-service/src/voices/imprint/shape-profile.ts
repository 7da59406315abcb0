import { envelopeBands, type VoiceProfile } from '../profile.ts'
import { between } from './equaliser.ts'

/** How a voice is to differ from another one. */
export interface VoiceShape {
  pitchHertz: number
  /** Of the whole head: below 1 it is larger, and the voice sounds older or more like a man's. Default 1. */
  formantFactor?: number
  /** By how much the highest notes gain on the lowest. Default 0. */
  brightnessDecibels?: number
  /** Default 1. */
  pace?: number
  /** Default 1. */
  liveliness?: number
}

/** @returns the profile of a voice that nobody has: the given one, made higher, larger, darker, slower, ... */
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
