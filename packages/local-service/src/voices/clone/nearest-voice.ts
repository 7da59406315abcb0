import type { BaseVoice } from '../base-voices.ts'
import { formantFactor } from '../imprint/formant-factor.ts'
import type { VoiceProfile } from '../profile.ts'

// By speech recognition tests, shifting formants by a tenth costs as much clarity as shifting pitch by half an octave.
const formantWeight = 5
// A diphone voice degrades quickly, so it is only chosen if it hardly needs to change.
const brittlePenalty = 1

/**
 * @param voices not empty.
 * @returns the voice that needs the smallest change to sound like the profile: of the natural ones, if there are any. Clones
 * of three people were as close to the person with a natural voice, even where its pitch had to change by an octave, and a
 * recogniser misheard half as many words; see `docs/voices.md`.
 */
export function nearestVoice(profile: VoiceProfile, voices: readonly BaseVoice[]): BaseVoice {
  const natural = voices.filter(({ isNatural }) => isNatural)
  const candidates = natural.length > 0 ? natural : voices
  const distances = candidates.map((base) => distance(base, profile))
  return candidates[distances.indexOf(Math.min(...distances))]!
}

function distance({ profile, isPliable }: BaseVoice, target: VoiceProfile): number {
  const octaves = Math.abs(Math.log2(target.pitch.medianHertz / profile.pitch.medianHertz))
  const formants = Math.abs(Math.log(formantFactor(profile, target)))
  return octaves + formantWeight * formants + (isPliable ? 0 : brittlePenalty)
}
