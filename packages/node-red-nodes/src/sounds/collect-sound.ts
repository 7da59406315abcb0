import { type AudioEncoding, audioEncodings, recogniseEncoding } from '@parlando/core/audio'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../runtime/failure.ts'
import { sharedText } from '../runtime/texts.ts'
import { ChunkSequences, type SoundMessage } from './chunk-sequences.ts'
import {
  createSound,
  type GrowingSound,
  type Sound,
  type SoundFormat,
  SoundLimitError,
  soundOf,
} from './sound.ts'
import { withText } from './sound-text.ts'
import type { WaitingSounds } from './waiting-sounds.ts'

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

/** An unfinished sound keeps its speaker. It fails when all its audio could be heard, and nothing has arrived for so long. */
const maxPauseMs = 5_000

/** @param waiting The sounds of a node that plays one after the other. */
export function createSoundCollector(
  RED: Pick<NodeAPI, '_'>,
  waiting?: Pick<WaitingSounds, 'isPaused' | 'isFull'>,
): SoundCollector {
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

  const take: SoundCollector['take'] = (message) => {
    const { payload, parts } = message
    if (!Buffer.isBuffer(payload)) throw new NodeInputError(sharedText(RED, 'sound.not-a-sound'))
    if (typeof parts?.id !== 'string' || (parts.count === 1 && parts.index === 0)) {
      if (payload.length === 0) throw new NodeInputError(sharedText(RED, 'sound.not-a-sound'))
      checkRoom()
      const sound = soundOf(formatOf(RED, message, payload), payload)
      return { sound, isFirst: true, isLast: true }
    }
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
    take(message) {
      try {
        return take(message)
      } catch (error) {
        throw withText(RED, error)
      }
    },
    close: () => sequences.close(),
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
