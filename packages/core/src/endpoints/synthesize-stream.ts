import { createSeam } from '../audio/seamless.ts'
import { InputError, ProtocolError } from '../errors.ts'
import { createNdjsonParser } from '../ndjson.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Answer, Transport } from '../transport.ts'
import { type SpeechRequest, type SpeechResult, speechResultSchema } from '../wire/speech.ts'
import { type AudioFormat, parseSpeechRequest, requestedFormat } from './synthesize.ts'
import { largerUsage, readUsage, type Usage } from './usage.ts'

export interface SpeechChunk {
  /** The next bytes, never empty; the chunks of an utterance concatenate to one file of the stream's `mediaType`. */
  audio: Uint8Array
}

/**
 * One utterance as it is being spoken. The request is made when the loop begins; leaving the loop early closes the
 * connection. It can be consumed once.
 */
export interface SpeechStream extends AsyncIterable<SpeechChunk>, AudioFormat {
  /** What the service counted; complete when the loop has ended. */
  readonly usage: Usage | undefined
  /** From the start of the request to the first audio; `undefined` until then. */
  readonly firstAudioMs: number | undefined
  /** What was sent as `X-Request-Id`; `undefined` until the answer has begun. */
  readonly requestId: string | undefined
}

const path = '/tts/v1/voice:stream'

/** `POST /tts/v1/voice:stream`. @throws {InputError} at once, when the request is not valid. */
export function synthesizeStream(
  transport: Transport,
  options: ResolvedOptions,
  request: SpeechRequest,
  signal?: AbortSignal,
): SpeechStream {
  const body = parseSpeechRequest(request)
  const format = requestedFormat(body)
  const seam = createSeam(format.encoding, format.sampleRateHertz)
  let usage: Usage | undefined
  let firstAudioMs: number | undefined
  let requestId: string | undefined
  let isConsumed = false

  async function* chunks(): AsyncGenerator<SpeechChunk, void> {
    const startedAt = performance.now()
    const answer = await transport.send({ what: 'Speech', method: 'POST', path, body, signal })
    requestId = answer.requestId
    for await (const result of readResults(answer, options)) {
      usage = largerUsage(usage, readUsage(result))
      const audio = seam.push(Buffer.from(result.audioContent ?? '', 'base64'))
      if (audio.length === 0) continue
      firstAudioMs ??= performance.now() - startedAt
      yield { audio }
    }
    if (firstAudioMs === undefined) {
      throw new ProtocolError('Speech failed: the answer ended without audio', {
        code: 'NO_AUDIO',
        requestId,
      })
    }
  }

  return {
    encoding: format.encoding,
    mediaType: format.mediaType,
    get sampleRateHertz() {
      return seam.sampleRateHertz
    },
    get usage() {
      return usage
    },
    get firstAudioMs() {
      return firstAudioMs
    },
    get requestId() {
      return requestId
    },
    [Symbol.asyncIterator]() {
      if (isConsumed) throw new InputError('A speech stream can be consumed once; make a new one')
      isConsumed = true
      return chunks()
    },
  }
}

async function* readResults(
  answer: Answer,
  options: ResolvedOptions,
): AsyncGenerator<SpeechResult, void> {
  const parser = createNdjsonParser(options)
  for await (const piece of answer.bytes) {
    for (const line of parser.push(piece)) yield readLine(line, answer)
  }
  for (const line of parser.end()) yield readLine(line, answer)
}

function readLine(line: unknown, answer: Answer): SpeechResult {
  const { error, result } = (line ?? {}) as { error?: unknown; result?: unknown }
  if (error) throw answer.errorOf(line)
  const parsed = speechResultSchema.safeParse(result ?? {})
  if (parsed.success) return parsed.data
  throw new ProtocolError('Speech failed: a line of the answer has not the shape of a result', {
    code: 'BAD_ANSWER',
    requestId: answer.requestId,
  })
}
