import type { Voice } from '@parlando/core/wire'
import { library } from './library.ts'
import type { VoiceProfile } from './profile.ts'

/** A voice as callers see it, and what makes its sound. */
export interface SpeakingVoice {
  voice: Voice
  /** The name of the engine that speaks it. */
  engine: string
  /** The engine's own name of the voice. */
  engineVoice: string
  /** A voice to bring the engine's voice near to; absent: the engine's voice is heard as it is. */
  imprint?: VoiceProfile
}

/** All voices this service can speak with. */
export interface Catalogue {
  list(): readonly Voice[]
  find(voiceId: string): SpeakingVoice | undefined
}

export function createCatalogue(): Catalogue {
  return {
    list: () => library.map(({ voice }) => voice),
    find: (voiceId) => library.find(({ voice }) => voice.voiceId === voiceId),
  }
}
