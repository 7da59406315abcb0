import { chooseFormat, encodings } from '../../audio/encodings.ts'
import { InputError } from '../../errors.ts'
import type { ResolvedOptions } from '../../options.ts'
import { parseInput } from '../../parse-input.ts'
import { cutLongText } from '../../text/long-text.ts'
import type { AudioEncoding } from '../../wire/audio-config.ts'
import { type SpeechRequest, speechRequestSchema } from '../../wire/speech.ts'

/** How the audio is laid out: mono in every encoding. */
export interface AudioFormat {
  encoding: AudioEncoding
  mediaType: string
  sampleRateHertz: number
}

/** @throws {InputError} before any I/O, when a field is missing, misspelt or out of range. */
export function parseSpeechRequest(request: SpeechRequest): SpeechRequest {
  return parseInput(speechRequestSchema, request, 'Speech request')
}

export function requestedFormat(request: SpeechRequest): AudioFormat {
  const { audioEncoding, sampleRateHertz } = chooseFormat(request.audioConfig)
  return { encoding: audioEncoding, mediaType: encodings[audioEncoding].mediaType, sampleRateHertz }
}

/** @returns the request, or several that the service takes. @throws {InputError} where that is not wanted. */
export function cutRequest(request: SpeechRequest, options: ResolvedOptions): SpeechRequest[] {
  const { maxTextCharacters, longText } = options
  if (request.text.length <= maxTextCharacters) return [request]
  const text = request.text.trim()
  if (text.length <= maxTextCharacters) return [{ ...request, text }]
  if (longText === 'reject') {
    const message = `text: ${text.length} characters are more than the ${maxTextCharacters} that the service takes`
    throw new InputError(`Speech request not valid: ${message}`)
  }
  if (requestedFormat(request).encoding === 'FLAC') {
    // Each piece is a file with a head of its own, and such files do not join to one as those of the others do.
    const message = `text: FLAC takes no more than ${maxTextCharacters} characters, since it cannot be joined from pieces; shorten the text or choose WAV, MP3 or OGG_OPUS`
    throw new InputError(`Speech request not valid: ${message}`)
  }
  return cutLongText(text, maxTextCharacters).map((piece) => ({ ...request, text: piece }))
}
