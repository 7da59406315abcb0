import { createAudioJoiner } from '../../audio/audio-joiner.ts'
import { createDurationMeter } from '../../audio/duration.ts'
import { chooseFormat, encodings } from '../../audio/encodings.ts'
import type { AudioJoiner, DurationMeter } from '../../audio/incremental.ts'
import { noAudio } from '../../protocol-errors.ts'
import type { Sink } from '../../streams/sink.ts'
import type { AudioConfig } from '../../wire/audio-config.ts'
import type { AudioEncoding } from '../../wire/audio-encodings.ts'
import { addUsage, joinWarnings, type SpeechReport, type SpeechUsage } from './speech-report.ts'
import { shiftTimestamps, type Timestamps, timestampsSizeBytes } from './timestamps.ts'

/** How the audio is encoded. All encodings are mono. */
export interface AudioFormat {
  encoding: AudioEncoding
  mediaType: string
  sampleRateHertz: number
}

/** A piece of an utterance as the service sent it. */
export interface SpeechChunk {
  /**
   * The next bytes. The chunks of an utterance concatenate to one file of the stream's `mediaType`. Empty only if the
   * chunk contains nothing but timestamps.
   */
  audio: Uint8Array
  /** If the request asked for timestamps: those of this chunk or, with `ASYNC`, of earlier ones. */
  timestamps?: Timestamps
}

// A chunk without audio takes memory, too.
const chunkOverheadBytes = 256

/** The memory that a chunk takes, about. */
export function chunkSizeBytes({ audio, timestamps }: SpeechChunk): number {
  const timestampsBytes = timestamps ? timestampsSizeBytes(timestamps) : 0
  return chunkOverheadBytes + audio.length + timestampsBytes
}

/** The format that the service uses for this config. */
export function formatOf(config: AudioConfig | undefined): AudioFormat {
  const { audioEncoding: encoding, sampleRateHertz } = chooseFormat(config)
  return { encoding, mediaType: encodings[encoding].mediaType, sampleRateHertz }
}

/** Receives the chunks of the pieces of an utterance. */
export interface PieceSink extends Sink<SpeechChunk> {
  /** Called between two pieces. Each piece is a file, and its timestamps count from its start. */
  nextPiece(): void
}

/**
 * Joins the pieces of an utterance to one file, and reports what has arrived.
 *
 * The reports are getters of a class, because V8 stores an object literal with getters as a hash table, which costs each
 * stream more than a kilobyte.
 */
export class UtteranceAudio {
  readonly encoding: AudioFormat['encoding']
  readonly mediaType: string
  firstAudioMs: number | undefined = undefined
  /** One for each request. */
  readonly reports: SpeechReport[] = []
  readonly #joiner: AudioJoiner
  readonly #what: string
  #meter: DurationMeter | undefined = undefined

  /** @param what named by errors. */
  constructor(
    { encoding, mediaType, sampleRateHertz }: AudioFormat,
    isSplit: boolean,
    what: string,
  ) {
    this.#what = what
    this.encoding = encoding
    this.mediaType = mediaType
    this.#joiner = createAudioJoiner(encoding, sampleRateHertz, { isSplit })
  }

  get sampleRateHertz() {
    return this.#joiner.sampleRateHertz
  }

  get usage() {
    const usages = this.reports.map(({ usage }) => usage)
    return usages.reduce<SpeechUsage | undefined>(addUsage, undefined)
  }

  get warnings() {
    return joinWarnings(this.reports.map(({ warnings }) => warnings))
  }

  get durationSeconds() {
    return this.#meter?.seconds
  }

  get requestId() {
    return this.reports[0]?.requestId
  }

  /** @returns a sink that passes on the chunks of the joined file. At the end, it fails if there was no audio. */
  join(sink: Sink<SpeechChunk>): PieceSink {
    const startedAt = performance.now()
    const joiner = this.#joiner
    let pieceStartSeconds = 0
    const measure = (audio: Uint8Array): Uint8Array => {
      if (audio.length === 0) return audio
      this.firstAudioMs ??= performance.now() - startedAt
      this.#meter ??= createDurationMeter(this.encoding, joiner.sampleRateHertz)
      this.#meter.push(audio)
      return audio
    }
    /** Sends the audio that waited for the end of a piece. */
    const sendRest = (audio: Uint8Array) => {
      if (measure(audio).length > 0) sink.next({ audio })
    }
    return {
      next(chunk) {
        const audio = measure(joiner.push(chunk.audio))
        if (chunk.timestamps) {
          sink.next({ audio, timestamps: shiftTimestamps(chunk.timestamps, pieceStartSeconds) })
        } else if (audio.length > 0) {
          sink.next(audio === chunk.audio ? chunk : { audio })
        }
      },
      nextPiece: () => {
        sendRest(joiner.nextPiece())
        pieceStartSeconds = this.durationSeconds ?? 0
      },
      end: () => {
        sendRest(joiner.end())
        const { requestId } = this
        if (this.firstAudioMs === undefined) sink.error(noAudio({ what: this.#what, requestId }))
        else sink.end()
      },
      error: sink.error,
    }
  }
}
