import { join } from 'node:path'
import type { Voice } from '@parlando/core/wire'
import { type Clones, createClones } from './clones.ts'
import { library } from './library.ts'
import type { VoiceProfile } from './profile.ts'
import { createVoiceStore, forgetfulStore } from './voice-store.ts'

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
  /** The library first, then what was cloned, as it came. */
  list(): readonly Voice[]
  find(voiceId: string): SpeakingVoice | undefined
  readonly clones: Clones
}

export function createCatalogue(clones: Clones = createClones()): Catalogue {
  return {
    list: () => [...library, ...clones.list()].map(({ voice }) => voice),
    find: (voiceId) =>
      library.find(({ voice }) => voice.voiceId === voiceId) ?? clones.find(voiceId),
    clones,
  }
}

export interface CatalogueOptions {
  /** Where cloned voices are kept, in a folder of their own. Default: nowhere, they end with the service. */
  dataFolder?: string
  maxVoices: number
  /** Hears what is wrong with the folder. */
  warn(message: string): void
}

/** Gives the catalogue with what was cloned in earlier lives of the service. */
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { dataFolder, maxVoices, warn } = options
  const store = dataFolder ? createVoiceStore(join(dataFolder, 'voices'), warn) : forgetfulStore
  return createCatalogue(createClones({ kept: await store.read(), store, maxVoices, warn }))
}
