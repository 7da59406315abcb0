import type { Voice, VoiceUpdate } from '@parlando/core/wire'
import { createMutex } from '../../concurrency/slots.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { SpeakingVoice } from '../speaking-voice.ts'
import { memoryStore, type VoiceStore } from './voice-store.ts'

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
  STORE_FULL: 'the store (--store) is full',
  STORE_AWAY: 'the store (--store) is away. Its voices still speak; try again later',
}

/** The voices cloned by this service. A change that fails has no effect. */
export class Clones {
  #clones: Map<string, SpeakingVoice>
  readonly #store: VoiceStore
  readonly #maxVoices: number
  readonly #warn: (message: string) => void
  // One change at a time, so that the store and the memory stay consistent.
  readonly #exclusive = createMutex()

  constructor({ stored = [], store, maxVoices = 100, warn }: ClonesOptions = {}) {
    this.#clones = byId(stored)
    this.#store = store ?? memoryStore
    this.#maxVoices = maxVoices
    this.#warn = warn ?? console.warn
  }

  /** Whether recordings can be kept: only if the store is a folder. */
  get keepsRecordings(): boolean {
    return this.#store.writeRecording !== undefined
  }

  list(): readonly SpeakingVoice[] {
    return [...this.#clones.values()]
  }

  find(voiceId: string): SpeakingVoice | undefined {
    return this.#clones.get(voiceId)
  }

  /** Reads the store again, after another service has changed it. @throws {Error} if the store is away. */
  refresh(): Promise<void> {
    return this.#exclusive(async () => {
      this.#clones = byId(await this.#store.read())
    })
  }

  /** @throws {ServiceError} when the maximum number of clones is reached. */
  rejectWhenFull(): void {
    if (this.#clones.size < this.#maxVoices) return
    const message = `The service has reached its limit of cloned voices, ${this.#maxVoices}: delete one, or start the service with a higher limit (--max-voices)`
    throw new ServiceError('RESOURCE_EXHAUSTED', message)
  }

  /** @param recording is kept until the voice is removed; only if `keepsRecordings`. */
  add(clone: SpeakingVoice, recording?: NewRecording): Promise<SpeakingVoice> {
    return this.#exclusive(async () => {
      this.rejectWhenFull()
      const added = recording ? await this.#addRecording(clone, recording) : clone
      const { voiceId } = added.voice
      try {
        await this.#saving(this.#store.write(added))
      } catch (error) {
        // Without its voice, nobody could delete the recording.
        if (recording) await this.#store.remove(voiceId).catch(() => {})
        throw error
      }
      this.#clones.set(voiceId, added)
      return added
    })
  }

  /** @param check throws if the voice must not become this one. Two changes at the same time are checked one after the other. */
  change(
    voiceId: string,
    update: VoiceUpdate,
    check: (changed: Voice) => void = () => {},
  ): Promise<Voice> {
    return this.#exclusive(async () => {
      const clone = this.#require(voiceId)
      if (!(await this.#saving(this.#store.has(voiceId)))) {
        // Another service that shares the folder has deleted it. Writing it would restore it.
        this.#clones.delete(voiceId)
        this.#require(voiceId)
      }
      const changed = { ...clone, voice: { ...clone.voice, ...update } }
      check(changed.voice)
      await this.#saving(this.#store.write(changed))
      this.#clones.set(voiceId, changed)
      return changed.voice
    })
  }

  remove(voiceId: string): Promise<void> {
    return this.#exclusive(async () => {
      this.#require(voiceId)
      await this.#saving(this.#store.remove(voiceId))
      this.#clones.delete(voiceId)
    })
  }

  #require(voiceId: string): SpeakingVoice {
    const clone = this.find(voiceId)
    if (clone) return clone
    const message = `Unknown voice: ${voiceId}. GET /voices/v1/voices lists all voices`
    throw new ServiceError('NOT_FOUND', message)
  }

  async #addRecording(clone: SpeakingVoice, { wav, text }: NewRecording): Promise<SpeakingVoice> {
    const wavPath = await this.#saving(this.#store.writeRecording!(clone.voice.voiceId, wav))
    const voice = { ...clone.voice, keepsRecording: true }
    return { ...clone, voice, recording: { wavPath, text } }
  }

  /** If the store fails, the caller gets a short reason; the log gets the cause. */
  async #saving<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      this.#warn(`The cloned voices cannot be changed: ${message}`)
      const reason = reasons[code ?? ''] ?? code ?? 'see its log'
      throw new ServiceError(
        'FAILED_PRECONDITION',
        `The service cannot change its voices: ${reason}`,
      )
    }
  }
}

function byId(clones: readonly SpeakingVoice[]): Map<string, SpeakingVoice> {
  return new Map(clones.map((clone) => [clone.voice.voiceId, clone]))
}
