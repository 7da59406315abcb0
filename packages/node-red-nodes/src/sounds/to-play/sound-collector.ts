import { type AudioEncoding, audioEncodings, recogniseEncoding } from '@parlando/core/audio'
import { NodeInputError } from '../../runtime/failure.ts'
import { sharedText, type Texts } from '../../runtime/texts.ts'
import { ChunkSequences, type SoundMessage } from '../chunk-sequences.ts'
import {
  createSound,
  type GrowingSound,
  type Sound,
  type SoundFormat,
  SoundLimitError,
  soundOf,
  withText,
} from '../sound.ts'
import type { WaitingSounds } from './waiting-sounds.ts'

export interface CollectedSound {
  sound: Sound
  /** Whether the sound begins with this message. */
  isFirst: boolean
  /** Whether the sound ends with this message. */
  isLast: boolean
}

/** An unfinished sound keeps its speaker. It fails when all its audio could be heard, and nothing has arrived for this long. */
const maxPauseMs = 5_000

/** Makes sounds of messages: of each Buffer one, of the chunks of one sequence one that grows. */
export class SoundCollector {
  readonly #RED: Texts
  readonly #waiting: Pick<WaitingSounds, 'isPaused' | 'isFull'> | undefined
  readonly #beganAt = new WeakMap<Sound, number>()
  readonly #sequences: ChunkSequences<GrowingSound>

  /** @param waiting The sounds of a node that plays one after the other. */
  constructor(RED: Texts, waiting?: Pick<WaitingSounds, 'isPaused' | 'isFull'>) {
    this.#RED = RED
    this.#waiting = waiting
    this.#sequences = new ChunkSequences<GrowingSound>({
      RED,
      maxPauseMs,
      extraPauseMs: (sound) => {
        const heardAt = this.#beganAt.get(sound)! + (sound.durationSeconds ?? 0) * 1000
        return Math.max(0, heardAt - performance.now())
      },
      // The node that makes the sound waits, too.
      isPaused: () => waiting?.isPaused === true,
      missing: () => new NodeInputError(sharedText(RED, 'sound.chunk-missing')),
    })
  }

  /**
   * @returns nothing for a chunk of a sound that has failed or was stopped.
   * @throws {NodeInputError} when the payload is not a sound.
   */
  take(message: SoundMessage): CollectedSound | undefined {
    const { payload, parts } = message
    const isWhole = typeof parts?.id !== 'string' || (parts.count === 1 && parts.index === 0)
    try {
      return isWhole ? this.#takeWhole(message, payload) : this.#takeChunk(message, payload)
    } catch (error) {
      throw withText(this.#RED, error)
    }
  }

  /** Fails all sounds whose end has not arrived. */
  close(): void {
    this.#sequences.close()
  }

  #takeWhole(message: SoundMessage, payload: unknown): CollectedSound {
    if (!Buffer.isBuffer(payload) || payload.length === 0) throw notASound(this.#RED)
    this.#checkRoom()
    const sound = soundOf(formatOf(this.#RED, message, payload), payload)
    return { sound, isFirst: true, isLast: true }
  }

  #takeChunk(message: SoundMessage, payload: unknown): CollectedSound | undefined {
    // The handler calls it, so that the whole sequence fails, and only once.
    const bytes = () => {
      if (Buffer.isBuffer(payload)) return payload
      throw notASound(this.#RED)
    }
    const taken = this.#sequences.take(message, {
      begin: () => {
        const sound = createSound(formatOf(this.#RED, message, bytes()))
        this.#beganAt.set(sound, performance.now())
        return sound
      },
      append: (sound) => {
        this.#checkRoom()
        sound.append(bytes())
      },
    })
    if (!taken) return undefined
    const { item: sound, isFirst, isLast } = taken
    if (isLast) sound.complete()
    return { sound, isFirst, isLast }
  }

  #checkRoom(): void {
    if (this.#waiting?.isFull) throw new SoundLimitError('too-much-waiting')
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
