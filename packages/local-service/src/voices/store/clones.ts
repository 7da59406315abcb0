import type { Voice, VoiceUpdate } from '@parlando/core/wire'
import { createMutex } from '../../concurrency.ts'
import { ServiceError } from '../../errors.ts'
import type { SpeakingVoice } from '../voice.ts'
import { memoryStore, type VoiceStore } from './voice-store.ts'

/** The voices cloned by this service. A change that fails has no effect. */
export interface Clones {
  list(): readonly SpeakingVoice[]
  find(voiceId: string): SpeakingVoice | undefined
  /** @throws {ServiceError} when the maximum number of clones is reached. */
  rejectWhenFull(): void
  /** Whether recordings can be kept: only if the store is a folder. */
  readonly keepsRecordings: boolean
  /** @param recording is kept until the voice is removed; only if `keepsRecordings`. */
  add(clone: SpeakingVoice, recording?: NewRecording): Promise<SpeakingVoice>
  change(voiceId: string, update: VoiceUpdate): Promise<Voice>
  remove(voiceId: string): Promise<void>
}

/** A recording that is not stored yet. */
export interface NewRecording {
  /** A WAV file. */
  wav: Uint8Array
  /** The transcript, if known. */
  text?: string
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
  const saving = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
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

  const addRecording = async (clone: SpeakingVoice, { wav, text }: NewRecording) => {
    const wavPath = await saving(store.writeRecording!(clone.voice.voiceId, wav))
    return {
      ...clone,
      voice: { ...clone.voice, keepsRecording: true },
      recording: { wavPath, text },
    }
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
    keepsRecordings: store.writeRecording !== undefined,
    add: (clone, recording) =>
      exclusive(async () => {
        rejectWhenFull()
        const added = recording ? await addRecording(clone, recording) : clone
        try {
          await saving(store.write(added))
        } catch (error) {
          // Without its voice, nobody could delete the recording.
          if (recording) await store.remove(added.voice.voiceId).catch(() => {})
          throw error
        }
        clones.set(added.voice.voiceId, added)
        return added
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
