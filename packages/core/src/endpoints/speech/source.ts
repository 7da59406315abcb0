import type { Call } from '../../http/options.ts'
import { noAudio } from '../../protocol-errors.ts'
import { createLineReader } from '../../streams/line-reader.ts'
import type { Source } from '../../streams/sink.ts'
import { readSpeechLine } from '../../streams/speech-line.ts'
import { type SpeechRequest, speechWarningsHeader } from '../../wire/speech.ts'
import { type EndpointContext, responseSource } from '../endpoint.ts'
import { largerUsage, readUsage, readWarnings, type SpeechReport } from './report.ts'
import { readTimestamps, type Timestamps, timestampsSizeBytes } from './timestamps.ts'

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

/**
 * The chunks of one request, `POST /tts/v1/voice:stream`. Their timestamps count from the start of this request.
 * @param report filled in while the response arrives.
 */
export function speechSource(
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
