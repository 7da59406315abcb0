import { createAudioJoiner } from '../../audio/audio-joiner.ts'
import type { Call } from '../../http/call.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { streamLongSpeech } from './long-speech.ts'
import { cutRequest, parseSpeechRequest, requestedFormat } from './request.ts'
import { type SpeechStream, streamSpeech } from './stream.ts'

/** `POST /tts/v1/voice:stream`. @throws {InputError} at once, when the request is not valid. */
export function synthesizeStream(
  context: EndpointContext,
  request: SpeechRequest,
  call: Call,
): SpeechStream {
  const pieces = cutRequest(parseSpeechRequest(request), context.options)
  return streamPieces(context, pieces, call)
}

/** One utterance of requests that the service takes. */
export function streamPieces(
  context: EndpointContext,
  pieces: readonly SpeechRequest[],
  call: Call,
): SpeechStream {
  const { encoding, sampleRateHertz } = requestedFormat(pieces[0]!)
  const joiner = createAudioJoiner(encoding, sampleRateHertz)
  if (pieces.length === 1) return streamSpeech(context, pieces[0]!, joiner, call)
  return streamLongSpeech(context, pieces, joiner, call)
}
