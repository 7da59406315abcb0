import type { Voice } from '@parlando/core/wire'
import { library } from './library.ts'

/** A voice as callers see it, and what makes its sound. */
export interface SpeakingVoice {
  voice: Voice
  /** The name of the engine that speaks it. */
  engine: string
  /** The engine's own name of the voice. */
  engineVoice: string
  /** Factor that brings the voice to the loudness of the others. */
  gain: number
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
