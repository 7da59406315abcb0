import { EventEmitter, once } from 'node:events'
import { type AudioEncoding, createDurationMeter, encodings } from '@parlando/core/audio'
import { NodeLimitError } from '../shared/failure.ts'

/** How a sound is encoded. All sounds are mono; PCM is signed, 16 bits, little-endian. */
export interface SoundFormat {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
}

/** A sound whose end may not exist yet. Every reader receives it from the first byte. */
export interface Sound {
  readonly format: SoundFormat
  readonly mediaType: string
  /** Of the bytes that exist. */
  readonly byteLength: number
  /** Of the bytes that exist. Absent where the bytes do not show it. */
  readonly durationSeconds: number | undefined
  readonly isComplete: boolean
  /** Resolves when the sound is complete; rejects if it could not be made to its end. */
  readonly completed: Promise<void>
  /**
   * Yields the bytes that exist at once, and then each chunk as it is made.
   * @throws The error of {@link completed}, or the reason of the signal.
   */
  read(signal?: AbortSignal): AsyncGenerator<Uint8Array, void>
}

/** A sound in the making. */
export interface GrowingSound extends Sound {
  /** @throws {NodeLimitError} if the sound is now longer than its limit; the sound then fails with this error. */
  append(chunk: Uint8Array): void
  complete(): void
  fail(error: unknown): void
}

/** A sound of a broken service might never end. */
export const maxSoundSeconds = 120
/** For encodings whose bytes do not show their duration. */
const maxSoundBytes = 32 * 1024 * 1024

/** Creates an empty sound, to which its maker appends. */
export function createSound(format: SoundFormat, maxSeconds = maxSoundSeconds): GrowingSound {
  const chunks: Uint8Array[] = []
  const meter = createDurationMeter(format.audioEncoding, format.sampleRateHertz)
  // One listener per reader, for example per browser page.
  const changes = new EventEmitter().setMaxListeners(0)
  let state: 'growing' | 'complete' | 'failed' = 'growing'
  let byteLength = 0
  let settle: { resolve(): void; reject(error: unknown): void }
  const completed = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // A sound without a reader may fail.
  completed.catch(() => {})

  const fail = (error: unknown) => {
    if (state !== 'growing') return
    state = 'failed'
    settle.reject(error)
    changes.emit('change')
  }

  return {
    format,
    mediaType: encodings[format.audioEncoding].mediaType,
    completed,
    get byteLength() {
      return byteLength
    },
    get durationSeconds() {
      return meter.seconds
    },
    get isComplete() {
      return state === 'complete'
    },
    append(chunk) {
      if (state !== 'growing' || chunk.length === 0) return
      meter.push(chunk)
      byteLength += chunk.length
      if ((meter.seconds ?? 0) > maxSeconds || byteLength > maxSoundBytes) {
        const error = new NodeLimitError(`The sound is longer than ${maxSeconds} seconds`)
        fail(error)
        throw error
      }
      chunks.push(chunk)
      changes.emit('change')
    },
    complete() {
      if (state !== 'growing') return
      state = 'complete'
      settle.resolve()
      changes.emit('change')
    },
    fail,
    async *read(signal) {
      for (let index = 0; ; ) {
        signal?.throwIfAborted()
        const chunk = chunks[index]
        if (chunk) {
          index += 1
          yield chunk
        } else if (state !== 'growing') return await completed
        // An abort makes it reject with an error of its own; the next turn throws the reason of the signal.
        else await once(changes, 'change', { signal }).catch(() => {})
      }
    },
  }
}

/** A sound that exists as a whole. */
export function soundOf(format: SoundFormat, audio: Uint8Array): Sound {
  const sound = createSound(format)
  sound.append(audio)
  sound.complete()
  return sound
}
