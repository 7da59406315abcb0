import { join } from 'node:path'
import type { Voice } from '@parlando/core/wire'
import { isRedisAddress } from '../config/option.ts'
import type { Engine } from '../engines/engine.ts'
import type { RunningEngines } from '../engines/engine-registry.ts'
import { listBaseVoices } from './base-voices.ts'
import { nearestVoice } from './clone/nearest-voice.ts'
import { findDefaultVoices } from './default-voices.ts'
import { imitate } from './imitator.ts'
import { library } from './library.ts'
import type { SpeakingVoice } from './speaking-voice.ts'
import { Clones } from './store/clones.ts'
import { createFolderVoiceStore, createSharedFolderVoiceStore } from './store/folder-voice-store.ts'
import { followStore, type StoreState } from './store/follow-store.ts'
import { memoryStore, type VoiceStore } from './store/voice-store.ts'

/** All voices of this service. */
export interface VoiceList {
  /**
   * The default voice of each language first, then the library, then clones in the order of their creation, then the voices of
   * other engines.
   */
  list(): readonly Voice[]
  find(voiceId: string): SpeakingVoice | undefined
  /** Why voices of servers are missing, or cannot speak, at the moment: a sentence for each server. */
  readonly problems: readonly string[]
  readonly clones: Clones
  /** Absent where the clones are in no store that services share. */
  readonly store?: Readonly<StoreState>
}

/** @param engines may have voices of their own. If two voices share an id, the library or the clone takes precedence. */
export function createVoiceList(
  clones: Clones = new Clones(),
  engines: RunningEngines = new Map(),
): VoiceList {
  const findClone = (voiceId: string) => {
    const clone = clones.find(voiceId)
    return clone && imitate(withNearestBase(clone, engines), engines)
  }
  const findOwn = (voiceId: string) =>
    library.find(({ voice }) => voice.voiceId === voiceId) ?? findClone(voiceId)
  const engineVoices = () => [...engines.values()].flatMap(({ engine }) => voicesOf(engine))
  return {
    list() {
      const others = engineVoices().filter(({ voice }) => !findOwn(voice.voiceId))
      const all = [...library, ...clones.list(), ...others].map(({ voice }) => voice)
      const first = findDefaultVoices(all)
      return [...first, ...all.filter((voice) => !first.includes(voice))]
    },
    find: (voiceId) =>
      findOwn(voiceId) ?? engineVoices().find(({ voice }) => voice.voiceId === voiceId),
    get problems() {
      return [...engines.values()].flatMap(({ engine }) => engine.problem ?? [])
    },
    clones,
  }
}

/** The base voice of a clone depends on the engines that run now: a natural voice may have been installed, or removed. */
function withNearestBase(clone: SpeakingVoice, engines: RunningEngines): SpeakingVoice {
  const bases = listBaseVoices(engines)
  if (!clone.imprint || bases.length === 0) return clone
  const { engine, engineVoice } = nearestVoice(clone.imprint, bases)
  return { ...clone, engine, engineVoice }
}

function voicesOf({ name: engine, voices, problem }: Engine): SpeakingVoice[] {
  const state = problem ? { unavailableReason: problem } : {}
  return voices.flatMap(({ name, voice }) =>
    voice ? [{ voice: { ...voice, ...state }, engine, engineVoice: name }] : [],
  )
}

export interface VoiceListOptions {
  /** Cloned voices are kept in its subfolder `voices`. Default: clones end with the service. */
  dataFolder?: string
  /** Where services on several machines keep their cloned voices: the address of a Redis server, or a folder. */
  store?: string
  maxVoices: number
  engines: RunningEngines
  /** Receives problems with the folder. */
  warn(message: string): void
}

/** A list that has to be closed. */
export interface OpenVoiceList extends VoiceList {
  close(): Promise<void>
}

/** Opens the list with the clones in the store, and follows what other services change in a store that they share. */
export async function openVoiceList(options: VoiceListOptions): Promise<OpenVoiceList> {
  const { maxVoices, engines, warn } = options
  const store = await openVoiceStore(options)
  const { version } = store
  // Without its store, a service still speaks.
  const stored = await store.read().catch((error: Error & { code?: string }) => {
    if (!version) throw error
    return []
  })
  const clones = new Clones({ stored, store, maxVoices, warn })
  const following = version && followStore({ ...store, version }, clones, warn)
  return Object.assign(createVoiceList(clones, engines), {
    ...(following && { store: following.state }),
    async close() {
      await following?.end()
      await store.close?.()
    },
  })
}

async function openVoiceStore({ dataFolder, store, warn }: VoiceListOptions): Promise<VoiceStore> {
  if (store === undefined) {
    return dataFolder ? createFolderVoiceStore(join(dataFolder, 'voices'), warn) : memoryStore
  }
  if (!isRedisAddress(store)) return createSharedFolderVoiceStore(join(store, 'voices'), warn)
  // Imported on demand: most services share nothing.
  const { openRedisVoiceStore } = await import('./store/redis-voice-store.ts')
  const recordings = dataFolder && { recordingsFolder: join(dataFolder, 'shared-recordings') }
  return openRedisVoiceStore({ url: store, ...recordings, warn })
}
