import { type BaseVoice, baseVoices } from '../base-voices.ts'
import { formantFactor } from '../imprint/formant-factor.ts'
import type { VoiceProfile } from '../profile.ts'

// What a formant moved by a tenth costs is what half an octave of pitch costs, as a recogniser of speech judges it.
const formantWeight = 5
// A diphone voice breaks when it is moved: only one that hardly needs to move is taken.
const brittlePenalty = 1

/** @returns the voice that must be changed least to sound like the profile. */
export function nearestVoice(
  profile: VoiceProfile,
  voices: readonly BaseVoice[] = baseVoices,
): BaseVoice {
  const distances = voices.map((base) => distance(base, profile))
  return voices[distances.indexOf(Math.min(...distances))]!
}

function distance({ profile, isPliable }: BaseVoice, target: VoiceProfile): number {
  const octaves = Math.abs(Math.log2(target.pitch.medianHertz / profile.pitch.medianHertz))
  const formants = Math.abs(Math.log(formantFactor(profile, target)))
  return octaves + formantWeight * formants + (isPliable ? 0 : brittlePenalty)
}
