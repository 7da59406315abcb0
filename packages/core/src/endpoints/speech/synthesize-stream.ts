import type { Call } from '../../http/client-options.ts'
import { noAudio } from '../../protocol-errors.ts'
import { createLineReader } from '../../streams/line-reader.ts'
import type { Source } from '../../streams/sink.ts'
import { readSpeechLine } from '../../streams/speech-line.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import { type SpeechRequest, type SpeechWarning, speechWarningsHeader } from '../../wire/speech.ts'
import { type EndpointContext, responseSource } from '../response-source.ts'
import { joinPieces } from './join-pieces.ts'
import { type ParsedUtterance, parseUtterance, type SpeechInput } from './speech-input.ts'
import {
  largerUsage,
  readUsage,
  readWarnings,
  type SpeechReport,
  type SpeechUsage,
} from './speech-report.ts'
import { collectSpeech, type SpeechResult } from './speech-result.ts'
import { readTimestamps } from './timestamps.ts'
import { type AudioFormat, type SpeechChunk, UtteranceAudio } from './utterance-audio.ts'
import { restoreWords } from './written-words.ts'

/** An utterance while it is synthesized. */
export interface SpeechStream extends Stream<SpeechChunk, SpeechResult>, AudioFormat {
  /** The usage that the service counted; complete at the end. */
  readonly usage: SpeechUsage | undefined
  /** What the voice does not speak as expected; complete at the end. */
  readonly warnings: readonly SpeechWarning[]
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
  return streamUtterance(context, parseUtterance(request, context), call)
}

/**
 * Streams all pieces of an utterance as one: one file, one usage, and timestamps from the start of the whole utterance.
 * @param piecesAhead how many pieces are requested before their turn. Default 1.
 */
export function streamUtterance(
  context: EndpointContext,
  { pieces, isSplit, format, words }: ParsedUtterance,
  call: Call,
  piecesAhead?: number,
): SpeechStream {
  const utterance = new UtteranceAudio(format, isSplit, call.what)

  const sourceOf = (request: SpeechRequest): Source<SpeechChunk> => {
    const report: SpeechReport = {}
    utterance.reports.push(report)
    return speechSource(context, request, call, report)
  }
  function* sourcesOf(requests: Iterable<SpeechRequest>): Generator<Source<SpeechChunk>, void> {
    for (const request of requests) yield sourceOf(request)
  }

  const source: Source<SpeechChunk> = (sink) => {
    const joined = utterance.join(restoreWords(sink, words))
    const chunks = isSplit
      ? joinPieces(sourcesOf(pieces), { ahead: piecesAhead, onNextPiece: joined.nextPiece })
      : sourceOf([...pieces][0]!)
    return chunks(joined)
  }

  const reading = createStream(source, {
    what: 'speech',
    signal: call.signal,
    // Joined pieces have queues of their own. More items here would request pieces that may never be read.
    maxWaitingItems: isSplit ? 1 : undefined,
    toBytes: ({ audio }) => audio,
  })
  const stream: SpeechStream = Object.assign(utterance, reading, {
    collect: () => collectSpeech(stream, call.what, context.options.maxResponseBytes),
  })
  return stream
}

/**
 * The chunks of one request, `POST /tts/v1/voice:stream`. Their timestamps count from the start of this request.
 * @param report filled in while the response arrives.
 */
function speechSource(
  context: EndpointContext,
  body: SpeechRequest,
  call: Call,
  report: SpeechReport,
): Source<SpeechChunk> {
  const path = '/tts/v1/voice:stream'
  const request = { method: 'POST', path, body: { json: body } } as const
  return responseSource(context, request, call, async (response, deliver) => {
    let hasAudio = false
    report.requestId = response.requestId
    report.usage = undefined
    report.warnings = readWarnings(response.header(speechWarningsHeader))
    const lines = createLineReader({
      request: response,
      maxLineBytes: context.options.maxLineBytes,
      spare: context.spare,
      onLine(bytes, start, end) {
        const line = readSpeechLine(bytes, start, end, response)
        if (!line) return
        if (line.problem) throw response.errorOf(line.problem)
        const { audio, facts } = line
        hasAudio ||= audio.length > 0
        report.usage = largerUsage(report.usage, readUsage(facts?.['usage']))
        const timestamps = readTimestamps(facts?.['timestampInfo'])
        if (timestamps) deliver({ audio, timestamps })
        else if (audio.length > 0) deliver({ audio })
      },
    })
    await response.consume(lines.push)
    lines.end()
    if (!hasAudio) throw noAudio(response)
  })
}
