import { createAudioJoiner } from '../../audio/audio-joiner.ts'
import type { CallOptions } from '../../http/call-options.ts'
import type { Transport } from '../../http/transport.ts'
import type { ResolvedOptions } from '../../options.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import { streamLongSpeech } from './long-speech.ts'
import { cutRequest, parseSpeechRequest, requestedFormat } from './request.ts'
import { type SpeechStream, streamSpeech } from './stream.ts'

/** `POST /tts/v1/voice:stream`. @throws {InputError} at once, when the request is not valid. */
export function synthesizeStream(
  transport: Transport,
  options: ResolvedOptions,
  request: SpeechRequest,
  call?: CallOptions,
): SpeechStream {
  const pieces = cutRequest(parseSpeechRequest(request), options)
  return streamPieces(transport, options, pieces, call)
}

/** One utterance of requests that the service takes. */
export function streamPieces(
  transport: Transport,
  options: ResolvedOptions,
  pieces: readonly SpeechRequest[],
  call?: CallOptions,
): SpeechStream {
  const { encoding, sampleRateHertz } = requestedFormat(pieces[0]!)
  const joiner = createAudioJoiner(encoding, sampleRateHertz)
  if (pieces.length === 1) return streamSpeech(transport, options, pieces[0]!, joiner, call)
  return streamLongSpeech(transport, options, pieces, joiner, call)
}
