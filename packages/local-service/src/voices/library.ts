import { findBaseVoice } from './base-voices.ts'
import { shapeProfile, type VoiceShape } from './imprint/shape-profile.ts'
import data from './library.json' with { type: 'json' }
import type { SpeakingVoice } from './speaking-voice.ts'

interface LibraryVoice {
  name: string
  description: string
  /** The accent of the voice, which may differ from the engine's own label. Default `EN_US`. */
  langCode?: string
  gender: 'female' | 'male'
  ageGroup: string
  tags: string[]
  engineVoice: string
  /** How it differs from the engine's voice. Default: it is the engine's voice unchanged. */
  shape?: VoiceShape
  /** How much louder the shape makes the engine's voice, as `npm run measure-voices` prints it. */
  addedDecibels?: number
}

const voices = data as readonly LibraryVoice[]

/** The voices of Flite, and those that are derived from them. */
export const library: readonly SpeakingVoice[] = voices.map(toSpeakingVoice)

function toSpeakingVoice(voice: LibraryVoice): SpeakingVoice {
  const { name, description, langCode = 'EN_US', gender, ageGroup, tags } = voice
  const { engineVoice, shape, addedDecibels } = voice
  const base = findBaseVoice('flite', engineVoice)
  return {
    engine: 'flite',
    engineVoice,
    ...(shape && base ? { imprint: shapeProfile(base.profile, shape), addedDecibels } : {}),
    voice: {
      voiceId: name,
      displayName: name,
      description,
      langCode,
      source: 'SYSTEM',
      categories: ['local'],
      gender,
      ageGroup,
      tags,
    },
  }
}
