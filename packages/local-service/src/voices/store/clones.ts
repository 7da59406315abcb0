import type { Voice, VoiceUpdate } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import type { SpeakingVoice } from '../voice.ts'
import { memoryStore, type VoiceStore } from './voice-store.ts'

/** The voices that were cloned here. What fails changes nothing. */
export interface Clones {
  list(): readonly SpeakingVoice[]
  find(voiceId: string): SpeakingVoice | undefined
  /** @throws {ServiceError} when there is no room for another. */
  rejectWhenFull(): void
  add(clone: SpeakingVoice): Promise<void>
  change(voiceId: string, update: VoiceUpdate): Promise<Voice>
  remove(voiceId: string): Promise<void>
}

export interface ClonesOptions {
  /** What the store holds already. Default: nothing. */
  kept?: readonly SpeakingVoice[]
  /** Default: they end with the service. */
  store?: VoiceStore
  /** Default 100. */
  maxVoices?: number
  /** Hears why the store failed. */
  warn?(message: string): void
}

export function createClones(options: ClonesOptions = {}): Clones {
  const { kept = [], store = memoryStore, maxVoices = 100, warn = console.warn } = options
  const clones = new Map(kept.map((clone) => [clone.voice.voiceId, clone]))
  const inTurn = createTurns()

  /** Where the store fails, the caller gets a sentence and the log the cause. */
  const keep = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      warn(`The folder of cloned voices cannot be changed: ${message}`)
      const reason = reasons[code ?? ''] ?? code ?? 'its log says why'
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
    const message = `There are ${clones.size} cloned voices and no more than ${maxVoices} are kept: delete one, or start the service with a larger maxVoices`
    throw new ServiceError('RESOURCE_EXHAUSTED', message)
  }

  return {
    list: () => [...clones.values()],
    find: (voiceId) => clones.get(voiceId),
    rejectWhenFull,
    add: (clone) =>
      inTurn(async () => {
        rejectWhenFull()
        await keep(store.write(clone))
        clones.set(clone.voice.voiceId, clone)
      }),
    change: (voiceId, update) =>
      inTurn(async () => {
        const clone = find(voiceId)
        if (!(await store.has(voiceId))) {
          // Deleted by another service that shares the folder: writing it would bring it back.
          clones.delete(voiceId)
          find(voiceId)
        }
        const changed = { ...clone, voice: { ...clone.voice, ...update } }
        await keep(store.write(changed))
        clones.set(voiceId, changed)
        return changed.voice
      }),
    remove: (voiceId) =>
      inTurn(async () => {
        find(voiceId)
        await keep(store.remove(voiceId))
        clones.delete(voiceId)
      }),
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'files may not grow that large',
  EROFS: 'the disk cannot be written to',
  EACCES: 'the data folder belongs to somebody else',
  EPERM: 'the data folder belongs to somebody else',
  ENOTDIR: 'there is a file where the data folder should be',
  EEXIST: 'there is a file where the data folder should be',
}

/** Lets one change be made at a time, in the order they came, so that file and memory end up the same. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
