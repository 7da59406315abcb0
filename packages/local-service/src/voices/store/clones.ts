import type { Voice, VoiceUpdate } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import { createMutex } from '../../mutex.ts'
import type { SpeakingVoice } from '../voice.ts'
import { memoryStore, type VoiceStore } from './voice-store.ts'

/** The voices cloned by this service. A change that fails has no effect. */
export interface Clones {
  list(): readonly SpeakingVoice[]
  find(voiceId: string): SpeakingVoice | undefined
  /** @throws {ServiceError} when the maximum number of clones is reached. */
  rejectWhenFull(): void
  add(clone: SpeakingVoice): Promise<void>
  change(voiceId: string, update: VoiceUpdate): Promise<Voice>
  remove(voiceId: string): Promise<void>
}

export interface ClonesOptions {
  /** The clones that are already in the store. Default: none. */
  stored?: readonly SpeakingVoice[]
  /** Default: clones end with the service. */
  store?: VoiceStore
  /** Default 100. */
  maxVoices?: number
  /** Receives the reason when the store fails. */
  warn?(message: string): void
}

export function createClones(options: ClonesOptions = {}): Clones {
  const { stored = [], store = memoryStore, maxVoices = 100, warn = console.warn } = options
  const clones = new Map(stored.map((clone) => [clone.voice.voiceId, clone]))
  // One change at a time, so that the store and the memory stay consistent.
  const exclusive = createMutex()

  /** If the store fails, the caller gets a short reason; the log gets the cause. */
  const saving = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      warn(`The folder of cloned voices cannot be changed: ${message}`)
      const reason = reasons[code ?? ''] ?? code ?? 'see its log'
      throw new ServiceError(
        'FAILED_PRECONDITION',
        `The service cannot change its voices: ${reason}`,
      )
    }
  }

  const find = (voiceId: string): SpeakingVoice => {
    const clone = clones.get(voiceId)
    if (!clone) throw new ServiceError('NOT_FOUND', `Unknown voice: ${voiceId}`)
    return clone
  }

  const rejectWhenFull = () => {
    if (clones.size < maxVoices) return
    const message = `The service has reached its limit of cloned voices, ${maxVoices}: delete one, or start the service with a higher limit (--max-voices)`
    throw new ServiceError('RESOURCE_EXHAUSTED', message)
  }

  return {
    list: () => [...clones.values()],
    find: (voiceId) => clones.get(voiceId),
    rejectWhenFull,
    add: (clone) =>
      exclusive(async () => {
        rejectWhenFull()
        await saving(store.write(clone))
        clones.set(clone.voice.voiceId, clone)
      }),
    change: (voiceId, update) =>
      exclusive(async () => {
        const clone = find(voiceId)
        if (!(await store.has(voiceId))) {
          // Another service that shares the folder has deleted it. Writing it would restore it.
          clones.delete(voiceId)
          find(voiceId)
        }
        const changed = { ...clone, voice: { ...clone.voice, ...update } }
        await saving(store.write(changed))
        clones.set(voiceId, changed)
        return changed.voice
      }),
    remove: (voiceId) =>
      exclusive(async () => {
        find(voiceId)
        await saving(store.remove(voiceId))
        clones.delete(voiceId)
      }),
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'the file would exceed a size limit',
  EROFS: 'the disk is read-only',
  EACCES: 'the service may not write to its data folder',
  EPERM: 'the service may not write to its data folder',
  ENOENT: 'its data folder does not exist and cannot be created',
  ENOTDIR: 'the path of the data folder is a file',
  EEXIST: 'the path of the data folder is a file',
}
