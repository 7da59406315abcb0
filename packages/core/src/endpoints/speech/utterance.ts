import { createAudioJoiner } from '../../audio/audio-joiner.ts'
import { createDurationMeter } from '../../audio/duration.ts'
import { chooseFormat, encodings } from '../../audio/encodings.ts'
import type { AudioJoiner, DurationMeter } from '../../audio/incremental.ts'
import { InputError } from '../../errors.ts'
import type { ResolvedOptions } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { noAudio } from '../../protocol-errors.ts'
import type { Sink } from '../../streams/sink.ts'
import { piecesOfLongText } from '../../text/long-text.ts'
import type { AudioConfig } from '../../wire/audio-config.ts'
import type { AudioEncoding } from '../../wire/audio-encodings.ts'
import {
  defaultSpeechModelId,
  type SpeechModelId,
  type SpeechRequest,
  speechRequestSchema,
} from '../../wire/speech.ts'
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

/** The `modelId` of a request for speech: the protocol requires it, the client has a default. */
export const modelIdSchema = speechRequestSchema.shape.modelId.default(defaultSpeechModelId)

/** The request of the protocol, without the need for a `modelId`. */
export type WithDefaultModel<Request extends { modelId: string }> = Omit<Request, 'modelId'> & {
  /** The synthesis model: a known one or a later one. Default `svc-tts-2`. */
  modelId?: SpeechModelId | (string & {})
}

const speechInputSchema = speechRequestSchema.extend({ modelId: modelIdSchema })

/** A text to speak, with the voice and the settings. */
export type SpeechInput = WithDefaultModel<SpeechRequest>

/** A valid request, split into pieces that are short enough for the service. */
export interface ParsedUtterance {
  /** At least one. Each is cut when it is needed. */
  pieces: Iterable<SpeechRequest>
  isSplit: boolean
  /** The requested format. */
  format: AudioFormat
}

/** @throws {InputError} before any I/O: the request is not valid, or its text is too long and must not be split. */
export function parseUtterance(request: SpeechInput, options: ResolvedOptions): ParsedUtterance {
  const parsed = parseInput(speechInputSchema, request, 'Speech request')
  const text = fitText(parsed.text, options)
  const isSplit = text.length > options.maxTextCharacters
  const pieces = isSplit ? split({ ...parsed, text }, options) : [{ ...parsed, text }]
  return { pieces, isSplit, format: formatOf(parsed.audioConfig) }
}

/** The format that the service uses for this config. */
export function formatOf(config: AudioConfig | undefined): AudioFormat {
  const { audioEncoding: encoding, sampleRateHertz } = chooseFormat(config)
  return { encoding, mediaType: encodings[encoding].mediaType, sampleRateHertz }
}

/** @returns the text, without the white space around it if it is too long. @throws {InputError} if it must not be split. */
function fitText(untrimmed: string, { maxTextCharacters, longText }: ResolvedOptions): string {
  if (untrimmed.length <= maxTextCharacters) return untrimmed
  const text = untrimmed.trim()
  if (text.length > maxTextCharacters && longText === 'reject') {
    const message = `text: ${text.length} characters are more than the ${maxTextCharacters} that the service accepts`
    throw new InputError(`Speech request not valid: ${message}`)
  }
  return text
}

function* split(
  request: SpeechRequest,
  { maxTextCharacters }: ResolvedOptions,
): Generator<SpeechRequest, void> {
  for (const text of piecesOfLongText(request.text, maxTextCharacters)) yield { ...request, text }
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
