import { EventEmitter, once } from 'node:events'
import { type AudioEncoding, createDurationMeter, encodings } from '@parlando/core/audio'
import { NodeLimitError } from '../runtime/failure.ts'

/** How a sound is encoded. All sounds are mono; PCM is signed, 16 bits, little-endian. */
export interface SoundFormat {
  audioEncoding: AudioEncoding
  sampleRateHertz: number
}

/** A sound whose end may not exist yet. Every reader receives it from its first byte. */
export interface Sound {
  readonly format: SoundFormat
  readonly mediaType: string
  /** Of all bytes that were made. */
  readonly byteLength: number
  /** Of the bytes that are in memory. */
  readonly heldBytes: number
  /** Of all bytes that were made. Absent where the bytes do not show it. */
  readonly durationSeconds: number | undefined
  readonly isComplete: boolean
  /** When a byte was last made or read, by `performance.now()`. */
  readonly changedAt: number
  /** Resolves when the sound is complete; rejects if it could not be made to its end. */
  readonly completed: Promise<void>
  /**
   * Yields the bytes that exist at once, and then each chunk as it is made.
   * @throws The error of {@link completed}, the reason of the signal, or {@link NodeLimitError} if the start of a long sound
   * is no longer in memory.
   */
  read(signal?: AbortSignal): AsyncGenerator<Uint8Array, void>
}

/** A sound in the making. */
export interface GrowingSound extends Sound {
  /** @throws {NodeLimitError} if too much of the sound waits for its readers; the sound then fails with this error. */
  append(chunk: Uint8Array): void
  /**
   * Resolves when the readers have made room for more, so that a sound of any length takes a limited amount of memory.
   * @throws the reason of the signal.
   */
  room(signal?: AbortSignal): Promise<void>
  complete(): void
  fail(error: unknown): void
}

/** For a step on the way to the sound that is played: 20 s of PCM. */
export const stepBytes = 1024 * 1024
/** A long sound keeps at least its last six minutes of PCM, or half an hour of MP3. */
const defaultKeptBytes = 16 * 1024 * 1024
/** For a maker that does not wait for {@link GrowingSound.room}. */
const maxHeldBytes = 64 * 1024 * 1024
/** Several players of a sound do not begin in the same moment, and some begin twice. */
const keepStartMs = 5_000

/**
 * Creates an empty sound, to which its maker appends.
 * @param keptBytes A sound with more bytes forgets those that all its readers have read.
 */
export function createSound(format: SoundFormat, keptBytes = defaultKeptBytes): GrowingSound {
  const chunks: Uint8Array[] = []
  /** How many chunks are forgotten. */
  let forgotten = 0
  const readers = new Set<{ next: number }>()
  const meter = createDurationMeter(format.audioEncoding, format.sampleRateHertz)
  // One listener per reader, for example per browser page.
  const events = new EventEmitter().setMaxListeners(0)
  let state: 'growing' | 'complete' | 'failed' = 'growing'
  let byteLength = 0
  let heldBytes = 0
  let changedAt = performance.now()
  let keepStartUntil = Number.POSITIVE_INFINITY
  let settle: { resolve(): void; reject(error: unknown): void }
  const completed = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // A sound without a reader may fail.
  completed.catch(() => {})

  const note = (event: 'made' | 'read') => {
    changedAt = performance.now()
    events.emit(event)
  }
  const end = (outcome: 'complete' | 'failed', error?: unknown) => {
    if (state !== 'growing') return
    state = outcome
    if (outcome === 'complete') settle.resolve()
    else settle.reject(error)
    note('made')
    note('read')
  }
  /** Forgets what all readers have read, if that is needed and allowed. */
  const forget = () => {
    if (performance.now() < keepStartUntil) return
    const read = Math.min(...Array.from(readers, ({ next }) => next))
    let count = 0
    while (heldBytes > keptBytes && readers.size > 0 && forgotten + count < read) {
      heldBytes -= chunks[count]!.length
      count += 1
    }
    if (count > 0) chunks.splice(0, count)
    forgotten += count
  }

  return {
    format,
    mediaType: encodings[format.audioEncoding].mediaType,
    completed,
    get byteLength() {
      return byteLength
    },
    get heldBytes() {
      return heldBytes
    },
    get durationSeconds() {
      return meter.seconds
    },
    get isComplete() {
      return state === 'complete'
    },
    get changedAt() {
      return changedAt
    },
    append(chunk) {
      if (state !== 'growing' || chunk.length === 0) return
      forget()
      if (heldBytes + chunk.length > maxHeldBytes) {
        const mebibytes = maxHeldBytes / 1024 / 1024
        const error = new NodeLimitError(
          `More than ${mebibytes} MiB of the sound wait to be played`,
        )
        end('failed', error)
        throw error
      }
      meter.push(chunk)
      byteLength += chunk.length
      heldBytes += chunk.length
      chunks.push(chunk)
      note('made')
    },
    async room(signal) {
      for (;;) {
        signal?.throwIfAborted()
        forget()
        if (heldBytes <= keptBytes || state !== 'growing') return
        const restMs = keepStartUntil - performance.now()
        const isStartKept = restMs > 0 && restMs <= keepStartMs
        const timer = isStartKept ? setTimeout(() => events.emit('read'), restMs) : undefined
        await once(events, 'read', { signal }).catch(() => {})
        clearTimeout(timer)
      }
    },
    complete: () => end('complete'),
    fail: (error) => end('failed', error),
    async *read(signal) {
      if (forgotten > 0) throw new NodeLimitError('The start of the sound is no longer in memory')
      const reader = { next: 0 }
      readers.add(reader)
      keepStartUntil = Math.min(keepStartUntil, performance.now() + keepStartMs)
      try {
        for (;;) {
          signal?.throwIfAborted()
          const chunk = chunks[reader.next - forgotten]
          if (chunk) {
            reader.next += 1
            note('read')
            yield chunk
          } else if (state !== 'growing') return await completed
          // An abort makes it reject with an error of its own; the next turn throws the reason of the signal.
          else await once(events, 'made', { signal }).catch(() => {})
        }
      } finally {
        readers.delete(reader)
        events.emit('read')
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
