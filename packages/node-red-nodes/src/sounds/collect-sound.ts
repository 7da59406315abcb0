import { type AudioEncoding, audioEncodings, recogniseEncoding } from '@parlando/core/audio'
import { NodeInputError } from '../runtime/failure.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'
import { ChunkSequences, type SoundMessage } from './chunk-sequences.ts'
import {
  createSound,
  type GrowingSound,
  type Sound,
  type SoundFormat,
  SoundLimitError,
  soundOf,
  withText,
} from './sound.ts'
import type { WaitingSounds } from './waiting-sounds.ts'

export interface CollectedSound {
  sound: Sound
  /** Whether the sound begins with this message. */
  isFirst: boolean
  /** Whether the sound ends with this message. */
  isLast: boolean
}

/** An unfinished sound keeps its speaker. It fails when all its audio could be heard, and nothing has arrived for so long. */
const maxPauseMs = 5_000

/** @param waiting The sounds of a node that plays one after the other. */
export function createSoundCollector(
  RED: Texts,
  waiting?: Pick<WaitingSounds, 'isPaused' | 'isFull'>,
) {
  const beganAt = new WeakMap<Sound, number>()
  const sequences = new ChunkSequences<GrowingSound>({
    RED,
    maxPauseMs,
    extraPauseMs(sound) {
      const heardAt = beganAt.get(sound)! + (sound.durationSeconds ?? 0) * 1000
      return Math.max(0, heardAt - performance.now())
    },
    // The node that makes the sound waits, too.
    isPaused: () => waiting?.isPaused === true,
    missing: () => new NodeInputError(sharedText(RED, 'sound.chunk-missing')),
  })
  const checkRoom = () => {
    if (waiting?.isFull) throw new SoundLimitError('too-much-waiting')
  }
  const takeWhole = (message: SoundMessage, payload: Buffer): CollectedSound => {
    if (payload.length === 0) throw notASound(RED)
    checkRoom()
    return { sound: soundOf(formatOf(RED, message, payload), payload), isFirst: true, isLast: true }
  }
  const takeChunk = (message: SoundMessage, payload: Buffer): CollectedSound | undefined => {
    const taken = sequences.take(message, {
      begin() {
        const sound = createSound(formatOf(RED, message, payload))
        beganAt.set(sound, performance.now())
        return sound
      },
      append(sound) {
        checkRoom()
        sound.append(payload)
      },
    })
    if (!taken) return undefined
    const { item: sound, isFirst, isLast } = taken
    if (isLast) sound.complete()
    return { sound, isFirst, isLast }
  }

  return {
    /**
     * @returns nothing for a chunk of a sound that has failed or was stopped.
     * @throws {NodeInputError} when the payload is not a sound.
     */
    take(message: SoundMessage): CollectedSound | undefined {
      const { payload, parts } = message
      const isWhole = typeof parts?.id !== 'string' || (parts.count === 1 && parts.index === 0)
      try {
        if (!Buffer.isBuffer(payload)) throw notASound(RED)
        return isWhole ? takeWhole(message, payload) : takeChunk(message, payload)
      } catch (error) {
        throw withText(RED, error)
      }
    },
    /** Fails all sounds whose end has not arrived. */
    close: () => sequences.close(),
  }
}

function notASound(RED: Texts): NodeInputError {
  return new NodeInputError(sharedText(RED, 'sound.not-a-sound'))
}

/** The format that *speak* states in `msg.audio`, or else the one that the first bytes show. */
function formatOf(RED: Texts, { audio }: SoundMessage, chunk: Buffer): SoundFormat {
  const stated = (audio ?? {}) as { encoding?: unknown; sampleRateHertz?: unknown }
  const isStated = audioEncodings.includes(stated.encoding as AudioEncoding)
  const audioEncoding = isStated ? (stated.encoding as AudioEncoding) : recogniseEncoding(chunk)
  if (!audioEncoding) throw notASound(RED)
  const rate = Number(stated.sampleRateHertz)
  return { audioEncoding, sampleRateHertz: rate > 0 ? rate : 24_000 }
}
