import { type AudioEncoding, audioEncodings, recogniseEncoding } from '@parlando/core/audio'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError, NodeLimitError } from '../runtime/failure.ts'
import { sharedText } from '../runtime/texts.ts'
import { createSound, type GrowingSound, type Sound, type SoundFormat, soundOf } from './sound.ts'
import type { WaitingSounds } from './waiting-sounds.ts'

/** A message with a Buffer, or with one of the chunks that *speak* sends. */
export interface SoundMessage extends NodeMessageInFlow {
  audio?: unknown
  complete?: unknown
}

export interface CollectedSound {
  sound: Sound
  /** Whether the sound begins with this message. */
  isFirst: boolean
  /** Whether the sound ends with this message. */
  isLast: boolean
}

/** Makes sounds of messages: of each Buffer one, of the chunks of one sequence one that grows. */
export interface SoundCollector {
  /**
   * @returns nothing for a chunk of a sound that has failed or was stopped.
   * @throws {NodeInputError} when the payload is not a sound.
   */
  take(message: SoundMessage): CollectedSound | undefined
  /** Fails all sounds whose end has not arrived. */
  close(): void
}

// A flow may never send the end of a sequence.
const maxGrowing = 16
/** An unfinished sound keeps its speaker. It fails when all its audio could be heard, and nothing has arrived for so long. */
const maxPauseMs = 5_000
const maxFailed = 100

interface Growing {
  sound: GrowingSound
  chunks: number
  beganAt: number
  pause?: NodeJS.Timeout
}

/** @param waiting The sounds of a node that plays one after the other. */
export function createSoundCollector(
  RED: Pick<NodeAPI, '_'>,
  waiting?: Pick<WaitingSounds, 'isPaused' | 'isFull'>,
): SoundCollector {
  const growing = new Map<string, Growing>()
  /** Sequences whose other chunks may still arrive. */
  const failed = new Set<string>()

  const end = (id: string) => {
    clearTimeout(growing.get(id)?.pause)
    growing.delete(id)
  }
  const fail = (id: string, error: unknown) => {
    growing.get(id)?.sound.fail(error)
    end(id)
    failed.add(id)
    const [oldest] = failed
    if (failed.size > maxFailed) failed.delete(oldest!)
  }
  const begin = (id: string, message: SoundMessage, chunk: Buffer) => {
    const [oldest] = growing.keys()
    if (growing.size >= maxGrowing)
      fail(oldest!, new NodeLimitError(sharedText(RED, 'sound.too-many')))
    const sound = createSound(formatOf(RED, message, chunk))
    const entry: Growing = { sound, chunks: 0, beganAt: performance.now() }
    growing.set(id, entry)
    return entry
  }
  const waitForMore = (id: string, entry: Growing) => {
    clearTimeout(entry.pause)
    const heardAt = entry.beganAt + (entry.sound.durationSeconds ?? 0) * 1000
    const restMs = Math.max(0, heardAt - performance.now())
    const overdue = () => {
      // The node that makes the sound waits, too.
      if (waiting?.isPaused) return waitForMore(id, entry)
      const text = sharedText(RED, 'sound.end-overdue', { seconds: maxPauseMs / 1000 })
      fail(id, new NodeInputError(text))
    }
    entry.pause = setTimeout(overdue, restMs + maxPauseMs).unref()
  }

  return {
    take(message) {
      const { payload, parts } = message
      if (!Buffer.isBuffer(payload)) throw new NodeInputError(sharedText(RED, 'sound.not-a-sound'))
      const tooMuch = () => new NodeLimitError(sharedText(RED, 'sound.too-much-waiting'))
      if (typeof parts?.id !== 'string' || (parts.count === 1 && parts.index === 0)) {
        if (payload.length === 0) throw new NodeInputError(sharedText(RED, 'sound.not-a-sound'))
        if (waiting?.isFull) throw tooMuch()
        return {
          sound: soundOf(formatOf(RED, message, payload), payload),
          isFirst: true,
          isLast: true,
        }
      }
      const { id, index, count } = parts
      const isFirst = index === 0
      const isLast = message.complete === true || (count !== undefined && index === count - 1)
      if (isFirst && growing.has(id))
        fail(id, new NodeInputError(sharedText(RED, 'sound.end-missing')))
      if (isFirst) failed.delete(id)
      if (failed.has(id)) return undefined
      const entry = isFirst ? begin(id, message, payload) : growing.get(id)
      if (!entry || entry.chunks !== index) {
        const error = new NodeInputError(sharedText(RED, 'sound.chunk-missing'))
        fail(id, error)
        throw error
      }
      entry.chunks += 1
      try {
        if (waiting?.isFull) throw tooMuch()
        entry.sound.append(payload)
      } catch (error) {
        fail(id, error)
        // The message that began the sound reports its failure.
        if (!isFirst) return undefined
        throw error
      }
      if (isLast) {
        entry.sound.complete()
        end(id)
      } else waitForMore(id, entry)
      return { sound: entry.sound, isFirst, isLast }
    },
    close() {
      for (const id of [...growing.keys()])
        fail(id, new NodeInputError(sharedText(RED, 'sound.end-missing')))
    },
  }
}

/** The format that *speak* states in `msg.audio`, or else the one that the first bytes show. */
function formatOf(RED: Pick<NodeAPI, '_'>, { audio }: SoundMessage, chunk: Buffer): SoundFormat {
  const stated = (audio ?? {}) as { encoding?: unknown; sampleRateHertz?: unknown }
  const isStated = audioEncodings.includes(stated.encoding as AudioEncoding)
  const audioEncoding = isStated ? (stated.encoding as AudioEncoding) : recogniseEncoding(chunk)
  if (!audioEncoding) throw new NodeInputError(sharedText(RED, 'sound.not-a-sound'))
  const rate = Number(stated.sampleRateHertz)
  return { audioEncoding, sampleRateHertz: rate > 0 ? rate : 24_000 }
}
