import { chooseFormat, encodings } from '../../audio/encodings.ts'
import { InputError } from '../../errors.ts'
import type { ResolvedOptions } from '../../http/options.ts'
import { parseInput } from '../../parse-input.ts'
import { piecesOfLongText } from '../../text/long-text.ts'
import type { AudioEncoding } from '../../wire/audio-encodings.ts'
import { type SpeechRequest, speechRequestSchema } from '../../wire/speech.ts'
import { modelIdSchema, type WithDefaultModel } from '../model-id.ts'

/** How the audio is encoded. All encodings are mono. */
export interface AudioFormat {
  encoding: AudioEncoding
  mediaType: string
  sampleRateHertz: number
}

const speechInputSchema = speechRequestSchema.extend({ modelId: modelIdSchema })

/** A text to speak, with the voice and the settings. */
export type SpeechInput = WithDefaultModel<SpeechRequest>

/** A valid request, split into pieces that are short enough for the service. */
export interface Utterance {
  /** At least one. Each is cut when it is needed. */
  pieces: Iterable<SpeechRequest>
  isSplit: boolean
  /** The requested format. */
  format: AudioFormat
}

/** @throws {InputError} before any I/O: the request is not valid, or its text is too long and must not be split. */
export function parseUtterance(request: SpeechInput, options: ResolvedOptions): Utterance {
  const parsed = parseInput(speechInputSchema, request, 'Speech request')
  const { audioEncoding: encoding, sampleRateHertz } = chooseFormat(parsed.audioConfig)
  const { mediaType } = encodings[encoding]
  const text = fitText(parsed.text, options)
  const isSplit = text.length > options.maxTextCharacters
  const pieces = isSplit ? split({ ...parsed, text }, options) : [{ ...parsed, text }]
  return { pieces, isSplit, format: { encoding, mediaType, sampleRateHertz } }
}

/** @returns the text, without the white space around it if it is too long. @throws {InputError} if it must not be split. */
function fitText(untrimmed: string, { maxTextCharacters, longText }: ResolvedOptions): string {
  if (untrimmed.length <= maxTextCharacters) return untrimmed
  const text = untrimmed.trim()
  if (text.length > maxTextCharacters && longText === 'reject') {
    const message = `text: ${text.length} characters are more than the ${maxTextCharacters} that the service accepts`
    throw new InputError(`Speech request not valid: ${message}`)
  }
  return text
}

function* split(
  request: SpeechRequest,
  { maxTextCharacters }: ResolvedOptions,
): Generator<SpeechRequest, void> {
  for (const text of piecesOfLongText(request.text, maxTextCharacters)) yield { ...request, text }
}
