import { createAudioJoiner } from '../../audio/audio-joiner.ts'
import { createDurationMeter } from '../../audio/duration.ts'
import type { DurationMeter } from '../../audio/duration-meter.ts'
import type { AudioJoiner } from '../../audio/file-joiner.ts'
import type { Call } from '../../http/call.ts'
import { noAudio } from '../../http/protocol-errors.ts'
import type { Source } from '../../streams/sink.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { joinPieces } from './join-pieces.ts'
import { type AudioFormat, parseUtterance, type SpeechInput, type Utterance } from './request.ts'
import { collectSpeech, type SpeechResult } from './result.ts'
import { type SpeechChunk, type SpeechReport, speechSource } from './source.ts'
import { shiftTimestamps } from './timestamps.ts'
import { addUsage, type SpeechUsage } from './usage.ts'

/** An utterance while it is synthesized. */
export interface SpeechStream extends Stream<SpeechChunk, SpeechResult>, AudioFormat {
  /** The usage that the service counted; complete at the end. */
  readonly usage: SpeechUsage | undefined
  /** From the start of the request to the first audio, in milliseconds; `undefined` until then. */
  readonly firstAudioMs: number | undefined
  /**
   * Seconds of audio received so far, which can be a few chunks more than the loop has seen. `undefined` before the first
   * audio, and if OGG_OPUS or FLAC is not recognised in the bytes.
   */
  readonly durationSeconds: number | undefined
}

/** `POST /tts/v1/voice:stream`. @throws {InputError} at once if the request is not valid. */
export function synthesizeStream(
  context: EndpointContext,
  request: SpeechInput,
  call: Call,
): SpeechStream {
  return streamUtterance(context, parseUtterance(request, context.options), call)
}

/**
 * Streams all pieces of an utterance as one: one file, one usage, and timestamps from the start of the whole utterance.
 * @param piecesAhead how many pieces are requested before their turn. Default 1.
 */
export function streamUtterance(
  context: EndpointContext,
  { pieces, isSplit, format }: Utterance,
  call: Call,
  piecesAhead?: number,
): SpeechStream {
  const joiner = createAudioJoiner(format.encoding, format.sampleRateHertz, { isSplit })
  const facts = new UtteranceFacts(format, joiner)
  let pieceStartSeconds = 0

  const sourceOf = (request: SpeechRequest): Source<SpeechChunk> => {
    const report: SpeechReport = {}
    facts.reports.push(report)
    return speechSource(context, request, call, report)
  }
  function* sourcesOf(requests: Iterable<SpeechRequest>): Generator<Source<SpeechChunk>, void> {
    for (const request of requests) yield sourceOf(request)
  }

  const source: Source<SpeechChunk> = (sink) => {
    const startedAt = performance.now()
    const measure = (audio: Uint8Array): Uint8Array => {
      if (audio.length === 0) return audio
      facts.firstAudioMs ??= performance.now() - startedAt
      facts.meter ??= createDurationMeter(format.encoding, joiner.sampleRateHertz)
      facts.meter.push(audio)
      return audio
    }
    /** Sends the audio that waited for the end of a piece. */
    const sendRest = (audio: Uint8Array) => {
      if (measure(audio).length > 0) sink.next({ audio })
    }
    const onNextPiece = () => {
      sendRest(joiner.nextPiece())
      pieceStartSeconds = facts.durationSeconds ?? 0
    }
    const chunks = isSplit
      ? joinPieces(sourcesOf(pieces), { ahead: piecesAhead, onNextPiece })
      : sourceOf([...pieces][0]!)
    return chunks({
      next(chunk) {
        const audio = measure(joiner.push(chunk.audio))
        if (chunk.timestamps) {
          sink.next({ audio, timestamps: shiftTimestamps(chunk.timestamps, pieceStartSeconds) })
        } else if (audio.length > 0) {
          sink.next(audio === chunk.audio ? chunk : { audio })
        }
      },
      end() {
        sendRest(joiner.end())
        if (facts.firstAudioMs === undefined) sink.error(noAudio('Speech', facts.requestId))
        else sink.end()
      },
      error: sink.error,
    })
  }

  const reading = createStream(source, {
    what: 'speech',
    signal: call.signal,
    // Joined pieces have queues of their own. More items here would request pieces that may never be read.
    maxWaitingItems: isSplit ? 1 : undefined,
    toBytes: ({ audio }) => audio,
  })
  const stream: SpeechStream = Object.assign(facts, reading, {
    collect: () => collectSpeech(stream, context.options.maxResponseBytes),
  })
  return stream
}

/**
 * The properties of a stream that change while it is read. They are getters of a class, because V8 stores an object literal
 * with getters as a hash table, which costs each stream more than a kilobyte.
 */
class UtteranceFacts {
  readonly encoding: AudioFormat['encoding']
  readonly mediaType: string
  firstAudioMs: number | undefined = undefined
  readonly reports: SpeechReport[] = []
  meter: DurationMeter | undefined = undefined
  readonly #joiner: AudioJoiner

  constructor({ encoding, mediaType }: AudioFormat, joiner: AudioJoiner) {
    this.encoding = encoding
    this.mediaType = mediaType
    this.#joiner = joiner
  }

  get sampleRateHertz() {
    return this.#joiner.sampleRateHertz
  }

  get usage() {
    const usages = this.reports.map(({ usage }) => usage)
    return usages.reduce<SpeechUsage | undefined>(addUsage, undefined)
  }

  get durationSeconds() {
    return this.meter?.seconds
  }

  get requestId() {
    return this.reports[0]?.requestId
  }
}
