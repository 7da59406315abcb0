import { weightAt } from '../../dsp/loudness.ts'
import type { BaseVoice } from '../base-voices.ts'
import { envelopeBands, type VoiceProfile } from '../profile.ts'
import type { Prosody } from '../prosody.ts'
import { between, designEqualiser } from './equaliser.ts'
import { formantFactor } from './formant-factor.ts'
import { measuringRateHertz } from './measure-voice.ts'

/** What is done to the sound of an engine's voice. */
export interface ImprintSettings {
  /** The median pitch of the engine's voice, and what it becomes. */
  fromHertz: number
  toHertz: number
  /** Factor of each moment's distance from the median, in semitones. */
  rangeFactor: number
  /** Factor of all frequencies of the timbre. */
  formantFactor: number
  /** Factor of the length. */
  timeFactor: number
  /** Taps of a filter for the rest of the timbre, which also keeps the voice's loudness. */
  equaliser?: Float32Array
}

const maxHertz = measuringRateHertz / 2

// Further than this, artefacts cost more than the likeness gains.
const limits = { rangeFactor: [0.5, 2], timeFactor: [0.77, 1.3], decibels: [-12, 12] } as const

/** @returns what brings an engine's voice near to `target`: the imprint of a voice, computed once. */
export function imprintSettings(base: BaseVoice, target: VoiceProfile): ImprintSettings {
  const voice = base.profile
  const factor = formantFactor(voice, target)
  const range = target.pitch.rangeSemitones / Math.max(1, voice.pitch.rangeSemitones)
  const time = voice.syllablesPerSecond / target.syllablesPerSecond
  return {
    fromHertz: voice.pitch.medianHertz,
    toHertz: target.pitch.medianHertz,
    rangeFactor: clamp(range, limits.rangeFactor),
    formantFactor: factor,
    timeFactor: clamp(time, limits.timeFactor),
    equaliser: designEqualiser(levelled(base, target, factor, correction(voice, target, factor))),
  }
}

/** What changes nothing: for voices without an imprint. */
export function plainSettings({ profile }: BaseVoice): ImprintSettings {
  const { medianHertz } = profile.pitch
  return {
    fromHertz: medianHertz,
    toHertz: medianHertz,
    rangeFactor: 1,
    formantFactor: 1,
    timeFactor: 1,
  }
}

/** @returns the settings for one utterance. */
export function withProsody(settings: ImprintSettings, prosody: Prosody): ImprintSettings {
  const { rangeFactor, timeFactor } = settings
  return {
    ...settings,
    rangeFactor: rangeFactor * prosody.liveliness,
    timeFactor: timeFactor / prosody.speakingRate,
  }
}

/** The difference that is left when the formants are in their place, in dB. */
function correction(voice: VoiceProfile, target: VoiceProfile, factor: number): number[] {
  return target.envelopeDecibels.map((decibels, band) => {
    return clamp(decibels - between(voice.envelopeDecibels, band / factor), limits.decibels)
  })
}

/** Moves the correction up or down so that the voice stays as loud as it was. */
function levelled(
  base: BaseVoice,
  target: VoiceProfile,
  factor: number,
  decibels: readonly number[],
): number[] {
  const octaves = Math.log2(target.pitch.medianHertz / base.profile.pitch.medianHertz)
  const byPitch = between(base.loudnessByPitch, 4 + 4 * octaves)
  let before = 0
  let after = 0
  for (let band = 1; band < envelopeBands; band++) {
    before += heardPower(base, band, band)
    after += heardPower(base, band / factor, band) * 10 ** (decibels[band]! / 10)
  }
  const change = 10 * Math.log10(before / after) - byPitch
  return decibels.map((value) => value + change)
}

/** The power of what the voice has in the one band, heard in the other. */
function heardPower({ spectrumDecibels }: BaseVoice, from: number, to: number): number {
  return 10 ** (between(spectrumDecibels, from) / 10) * weightAt((to * maxHertz) / envelopeBands)
}

function clamp(value: number, [least, most]: readonly [number, number]): number {
  return Math.min(most, Math.max(least, value))
}
