import type { Call } from '../../http/client-options.ts'
import type { HttpResponse } from '../../http/response.ts'
import { parseInput } from '../../parse-input.ts'
import { noAudio } from '../../protocol-errors.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import { pronounce } from '../../text/pronounced-text.ts'
import {
  type OpenAiSpeechRequest,
  openAiSpeechRequestSchema,
  type SpeechFormat,
} from '../../wire/audio-speech.ts'
import { collectBytes } from '../collect-bytes.ts'
import { type EndpointContext, responseSource } from '../response-source.ts'

/** The bytes of one audio file while it is synthesized. */
export interface OpenAiSpeech extends Stream<Uint8Array, Uint8Array> {
  /** The requested media type until the first bytes arrive, then the media type of the bytes. */
  readonly mediaType: string
}

const mediaTypes: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
}

/** `POST /v1/audio/speech`, the OpenAI format. @throws {InputError} at once if the request is not valid. */
export function synthesizeOpenAi(
  context: EndpointContext,
  request: OpenAiSpeechRequest,
  call: Call,
): OpenAiSpeech {
  const parsed = parseInput(openAiSpeechRequestSchema, request, 'Speech request')
  const body = { ...parsed, input: pronounce(context.pronunciations, parsed.input) }
  const format = body.response_format ?? 'mp3'
  const { maxResponseBytes } = context.options
  let mediaType: string | undefined
  let requestId: string | undefined

  const path = '/v1/audio/speech'
  const httpRequest = { method: 'POST', path, body: { json: body } } as const
  const source = responseSource<Uint8Array>(
    context,
    httpRequest,
    call,
    async (response, deliver) => {
      requestId = response.requestId
      await response.consume((bytes) => {
        if (bytes.length === 0) return
        if (!mediaType && isText(bytes, response)) {
          throw response.bad('the response is text, not audio')
        }
        mediaType ??= sniffMediaType(bytes, format) ?? audioType(response) ?? mediaTypes[format]
        deliver(bytes)
      })
      if (!mediaType) throw noAudio(response)
    },
  )

  const stream: OpenAiSpeech = {
    ...createStream(source, {
      what: 'speech',
      signal: call.signal,
      toBytes: (bytes) => bytes,
    }),
    collect: () => collectBytes(stream, call.what, maxResponseBytes),
    get mediaType() {
      return mediaType ?? mediaTypes[format]
    },
    get requestId() {
      return requestId
    },
  }
  return stream
}

/** The service may not know the requested format and send MP3 instead, which every service knows. */
function sniffMediaType(bytes: Uint8Array, format: SpeechFormat): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (start === 'RIFF') return mediaTypes.wav
  if (start === 'OggS') return mediaTypes.opus
  if (start === 'fLaC') return mediaTypes.flac
  if (start.startsWith('ID3')) return mediaTypes.mp3
  // Trap: the first samples of bare PCM can look like the start of an MP3 frame.
  if (format === 'pcm') return undefined
  if (/^\xff[\xf0\xf1\xf8\xf9]/.test(start)) return mediaTypes.aac
  if (/^\xff[\xe2-\xff]/.test(start)) return mediaTypes.mp3
  return undefined
}

/** True for a captive portal's page or an error in JSON, sent with a status of 200. */
function isText(bytes: Uint8Array, { contentType }: HttpResponse): boolean {
  const start = String.fromCharCode(bytes[0]!)
  return /^(text\/|application\/json)/.test(contentType) && /[<{\s]/.test(start)
}

function audioType({ contentType }: { contentType: string }): string | undefined {
  return /^audio\/[^;\s]+/.exec(contentType)?.[0]
}
