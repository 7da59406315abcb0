import { type AudioEncoding, audioEncodings } from '@parlando/core/wire'
import type { NodeMessageInFlow } from 'node-red'
import { NodeInputError, NodeLimitError } from '../shared/failure.ts'
import { recogniseEncoding } from './recognise.ts'
import { createSound, type GrowingSound, type Sound, soundOf } from './sound.ts'

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
  /** @throws {NodeInputError} when the payload is not a sound. */
  take(message: SoundMessage): CollectedSound
  /** Fails all sounds whose end has not arrived. */
  close(): void
}

/** The texts of the errors, in the language of Node-RED. */
export interface CollectTexts {
  notASound(): string
  chunkMissing(): string
  endMissing(): string
  tooManySounds(): string
}

// A flow may never send the end of a sequence.
const maxGrowing = 16
const maxPauseMs = 30_000

export function createSoundCollector(texts: CollectTexts): SoundCollector {
  const growing = new Map<string, { sound: GrowingSound; chunks: number; pause: NodeJS.Timeout }>()

  const end = (id: string) => {
    clearTimeout(growing.get(id)?.pause)
    growing.delete(id)
  }
  const fail = (id: string, error: Error) => {
    growing.get(id)?.sound.fail(error)
    end(id)
  }
  const begin = (id: string, message: SoundMessage, chunk: Buffer) => {
    const [oldest] = growing.keys()
    if (growing.size >= maxGrowing) fail(oldest!, new NodeLimitError(texts.tooManySounds()))
    const pause = setTimeout(() => fail(id, new NodeInputError(texts.endMissing())), maxPauseMs)
    growing.set(id, {
      sound: createSound(formatOf(message, chunk, texts)),
      chunks: 0,
      pause: pause.unref(),
    })
    return growing.get(id)!
  }

  return {
    take(message) {
      const { payload, parts } = message
      if (!Buffer.isBuffer(payload)) throw new NodeInputError(texts.notASound())
      if (typeof parts?.id !== 'string' || (parts.count === 1 && parts.index === 0)) {
        if (payload.length === 0) throw new NodeInputError(texts.notASound())
        return {
          sound: soundOf(formatOf(message, payload, texts), payload),
          isFirst: true,
          isLast: true,
        }
      }
      const { id, index, count } = parts
      const isFirst = index === 0
      const isLast = message.complete === true || (count !== undefined && index === count - 1)
      if (isFirst && growing.has(id)) fail(id, new NodeInputError(texts.endMissing()))
      const entry = isFirst ? begin(id, message, payload) : growing.get(id)
      if (!entry || entry.chunks !== index) {
        const error = new NodeInputError(texts.chunkMissing())
        fail(id, error)
        throw error
      }
      entry.chunks += 1
      entry.pause.refresh()
      try {
        entry.sound.append(payload)
      } catch (error) {
        end(id)
        throw error
      }
      if (isLast) {
        entry.sound.complete()
        end(id)
      }
      return { sound: entry.sound, isFirst, isLast }
    },
    close() {
      for (const id of [...growing.keys()]) fail(id, new NodeInputError(texts.endMissing()))
    },
  }
}

/** The format that *speak* states in `msg.audio`, or else the one that the first bytes show. */
function formatOf({ audio }: SoundMessage, chunk: Buffer, texts: CollectTexts) {
  const stated = (audio ?? {}) as { encoding?: unknown; sampleRateHertz?: unknown }
  const isStated = audioEncodings.includes(stated.encoding as AudioEncoding)
  const audioEncoding = isStated ? (stated.encoding as AudioEncoding) : recogniseEncoding(chunk)
  if (!audioEncoding) throw new NodeInputError(texts.notASound())
  const rate = Number(stated.sampleRateHertz)
  return { audioEncoding, sampleRateHertz: rate > 0 ? rate : 24_000 }
}
