import { join } from 'node:path'
import type { Voice } from '@parlando/core/wire'
import type { Engine } from '../engines/engine.ts'
import type { RunningEngines } from '../engines/registry.ts'
import { library } from './library.ts'
import { type Clones, createClones } from './store/clones.ts'
import { createVoiceStore, memoryStore } from './store/voice-store.ts'
import type { SpeakingVoice } from './voice.ts'

/** All voices this service can speak with. */
export interface Catalogue {
  /** The library first, then what was cloned, as it came, then what further engines bring. */
  list(): readonly Voice[]
  find(voiceId: string): SpeakingVoice | undefined
  readonly clones: Clones
}

/** @param engines may bring voices of their own; where two have one id, that of the library or the clone is used. */
export function createCatalogue(
  clones: Clones = createClones(),
  engines: RunningEngines = new Map(),
): Catalogue {
  const findOwn = (voiceId: string) =>
    library.find(({ voice }) => voice.voiceId === voiceId) ?? clones.find(voiceId)
  const further = () => [...engines.values()].flatMap(({ engine }) => voicesOf(engine))
  return {
    list() {
      const others = further().filter(({ voice }) => !findOwn(voice.voiceId))
      return [...library, ...clones.list(), ...others].map(({ voice }) => voice)
    },
    find: (voiceId) => findOwn(voiceId) ?? further().find(({ voice }) => voice.voiceId === voiceId),
    clones,
  }
}

function voicesOf({ name: engine, voices }: Engine): SpeakingVoice[] {
  return voices.flatMap(({ name, voice }) => (voice ? [{ voice, engine, engineVoice: name }] : []))
}

export interface CatalogueOptions {
  /** Where cloned voices are kept, in a folder of their own. Default: nowhere, they end with the service. */
  dataFolder?: string
  maxVoices: number
  engines: RunningEngines
  /** Hears what is wrong with the folder. */
  warn(message: string): void
}

/** Gives the catalogue with what was cloned in earlier lives of the service. */
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { dataFolder, maxVoices, engines, warn } = options
  const store = dataFolder ? createVoiceStore(join(dataFolder, 'voices'), warn) : memoryStore
  return createCatalogue(
    createClones({ kept: await store.read(), store, maxVoices, warn }),
    engines,
  )
}
