import { weightAt } from '../../audio/loudness.ts'
import type { BaseVoice } from '../base-voices.ts'
import type { VoiceProfile } from '../profile.ts'
import type { Prosody } from '../prosody.ts'
import { envelopeBands } from './envelope-bands.ts'
import { between, designEqualiser } from './equaliser.ts'
import { formantFactor } from './formant-factor.ts'
import { measuringRateHertz } from './measure-voice.ts'

/** How the sound of an engine's voice is changed. */
export interface ImprintSettings {
  /** The median pitch of the engine's voice, and the target for it. */
  fromHertz: number
  toHertz: number
  /** Factor of the pitch's distance from the median, in semitones. */
  rangeFactor: number
  /** Factor of all frequencies of the timbre. */
  formantFactor: number
  /** Factor of the length. */
  timeFactor: number
  /** Taps of a filter that corrects the rest of the timbre and keeps the loudness. */
  equaliser?: Float32Array
}

const maxHertz = measuringRateHertz / 2

// Beyond these limits artefacts cost more than the likeness gains.
const limits = { rangeFactor: [0.5, 2], timeFactor: [0.77, 1.3], decibels: [-12, 12] } as const

/** @returns the imprint of a voice: the settings that bring an engine's voice close to `target`. */
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
    equaliser: designEqualiser(
      {
        decibels: levelled(base, target, factor, correction(voice, target, factor)),
        endHertz: maxHertz,
      },
      base.sampleRateHertz,
    ),
  }
}

/** Settings that change nothing, for voices without an imprint. */
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

/** The difference in dB that remains after the formants are moved. */
function correction(voice: VoiceProfile, target: VoiceProfile, factor: number): number[] {
  return target.envelopeDecibels.map((decibels, band) => {
    return clamp(decibels - between(voice.envelopeDecibels, band / factor), limits.decibels)
  })
}

/** Shifts the correction by a constant, so that the loudness of the voice does not change. */
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
    before += weightedPower(base, band, band)
    after += weightedPower(base, band / factor, band) * 10 ** (decibels[band]! / 10)
  }
  const change = 10 * Math.log10(before / after) - byPitch
  return decibels.map((value) => value + change)
}

/** The power of the voice in one band, with the weight of the band to which it moves. */
function weightedPower({ spectrumDecibels }: BaseVoice, from: number, to: number): number {
  return 10 ** (between(spectrumDecibels, from) / 10) * weightAt((to * maxHertz) / envelopeBands)
}

function clamp(value: number, [min, max]: readonly [number, number]): number {
  return Math.min(max, Math.max(min, value))
}
