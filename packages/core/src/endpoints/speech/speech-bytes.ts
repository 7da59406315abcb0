import { InputError, ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import type { HttpResponse } from '../../http/transport.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type SpeechBytesRequest,
  type SpeechFormat,
  speechBytesRequestSchema,
} from '../../wire/audio-speech.ts'
import type { EndpointContext } from '../context.ts'

/** The bytes of one file of audio as they are made. The request is made when the loop begins; one loop in all. */
export interface SpeechBytes extends AsyncIterable<Uint8Array> {
  /** What was asked for until the first bytes have come, then what they are. */
  readonly mediaType: string
  /** What was sent as `X-Request-Id`; `undefined` until the answer has begun. */
  readonly requestId: string | undefined
  /** Leaving the loop early closes the connection. */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void>
}

const mediaTypes: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
}

/** `POST /v1/audio/speech`, the OpenAI form. @throws {InputError} at once, when the request is not valid. */
export function speechBytes(
  { transport }: EndpointContext,
  request: SpeechBytesRequest,
  call: Call,
): SpeechBytes {
  const body = parseInput(speechBytesRequestSchema, request, 'Speech request')
  const format = body.response_format ?? 'mp3'
  let mediaType: string | undefined
  let requestId: string | undefined
  let isConsumed = false

  async function* pieces(response: HttpResponse): AsyncGenerator<Uint8Array, void> {
    requestId = response.requestId
    for await (const bytes of response.bytes) {
      if (bytes.length === 0) continue
      if (!mediaType && isText(bytes, response)) {
        const message = 'Speech failed: the answer is a text, not audio'
        throw new ProtocolError(message, { code: 'BAD_RESPONSE', requestId })
      }
      mediaType ??= sniffMediaType(bytes, format) ?? audioType(response) ?? mediaTypes[format]
      yield bytes
    }
    if (mediaType) return
    const message = 'Speech failed: the answer ended without audio'
    throw new ProtocolError(message, { code: 'NO_AUDIO', requestId })
  }

  return {
    get mediaType() {
      return mediaType ?? mediaTypes[format]
    },
    get requestId() {
      return requestId
    },
    [Symbol.asyncIterator]() {
      if (isConsumed) throw new InputError('Speech bytes can be consumed once; make a new request')
      isConsumed = true
      return transport.sendForItems(
        { what: 'Speech', method: 'POST', path: '/v1/audio/speech', body: { json: body } },
        call,
        pieces,
      )
    },
  }
}

/** Only mp3 is certain to be known to the service, which may answer with that whatever was asked for. */
function sniffMediaType(bytes: Uint8Array, format: SpeechFormat): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (start === 'RIFF') return mediaTypes.wav
  if (start === 'OggS') return mediaTypes.opus
  if (start === 'fLaC') return mediaTypes.flac
  if (start.startsWith('ID3')) return mediaTypes.mp3
  // Trap: the first samples of bare PCM can look like a frame's start.
  if (format === 'pcm') return undefined
  if (/^\xff[\xf0\xf1\xf8\xf9]/.test(start)) return mediaTypes.aac
  if (/^\xff[\xe2-\xff]/.test(start)) return mediaTypes.mp3
  return undefined
}

/** A page of some network or an error, that is, in an answer whose status says that all is well. */
function isText(bytes: Uint8Array, { contentType }: HttpResponse): boolean {
  const start = String.fromCharCode(bytes[0]!)
  return /^(text\/|application\/json)/.test(contentType) && /[<{\s]/.test(start)
}

function audioType({ contentType }: { contentType: string }): string | undefined {
  return /^audio\/[^;\s]+/.exec(contentType)?.[0]
}
