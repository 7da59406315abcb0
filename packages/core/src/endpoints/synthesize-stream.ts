import { createSeam } from '../audio/seamless.ts'
import type { CallOptions } from '../call-options.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Transport } from '../transport.ts'
import type { SpeechRequest } from '../wire/speech.ts'
import { streamLongSpeech } from './long-speech.ts'
import { cutRequest, parseSpeechRequest, requestedFormat } from './speech-request.ts'
import { type SpeechStream, streamSpeech } from './speech-stream.ts'

/** `POST /tts/v1/voice:stream`. @throws {InputError} at once, when the request is not valid. */
export function synthesizeStream(
  transport: Transport,
  options: ResolvedOptions,
  request: SpeechRequest,
  call?: CallOptions,
): SpeechStream {
  const body = parseSpeechRequest(request)
  const { encoding, sampleRateHertz } = requestedFormat(body)
  const seam = createSeam(encoding, sampleRateHertz)
  const pieces = cutRequest(body, options)
  if (pieces.length === 1) return streamSpeech(transport, options, pieces[0]!, seam, call)
  return streamLongSpeech(transport, options, pieces, seam, call)
}
