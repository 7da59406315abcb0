import { InputError } from '../../errors.ts'
import type { ResolvedOptions } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { piecesOfLongText } from '../../text/long-text.ts'
import { pronounce } from '../../text/pronounced-text.ts'
import {
  defaultSpeechModelId,
  type SpeechModelId,
  type SpeechRequest,
  speechRequestSchema,
} from '../../wire/speech.ts'
import type { EndpointContext } from '../response-source.ts'
import { type AudioFormat, formatOf } from './utterance-audio.ts'
import { createWrittenWords, type WrittenWords } from './written-words.ts'

/** The `modelId` of a request for speech: the protocol requires it, the client has a default. */
export const modelIdSchema = speechRequestSchema.shape.modelId.default(defaultSpeechModelId)

/** The request of the protocol, without the need for a `modelId`. */
export type WithDefaultModel<Request extends { modelId: string }> = Omit<Request, 'modelId'> & {
  /** The synthesis model: a known one or a later one. Default `svc-tts-2`. */
  modelId?: SpeechModelId | (string & {})
}

/** The request of the protocol, with the default for its model. */
export const speechInputSchema = speechRequestSchema.extend({ modelId: modelIdSchema })

/** A text to speak, with the voice and the settings. */
export type SpeechInput = WithDefaultModel<SpeechRequest>

/** A valid request, split into pieces that are short enough for the service. */
export interface ParsedUtterance {
  /** At least one. Each is cut when it is needed. */
  pieces: Iterable<SpeechRequest>
  isSplit: boolean
  /** The requested format. */
  format: AudioFormat
  /** Present if the request asks for timestamps, and some of its words are said in another way. */
  words: WrittenWords | undefined
}

/** @throws {InputError} before any I/O: the request is not valid, or its text is too long and must not be split. */
export function parseUtterance(
  request: SpeechInput,
  { options, pronunciations }: Pick<EndpointContext, 'options' | 'pronunciations'>,
): ParsedUtterance {
  const parsed = parseInput(speechInputSchema, request, 'Speech request')
  const words = createWrittenWords(parsed, pronunciations)
  const text = fitText(pronounce(pronunciations, parsed.text, words?.addReplaced), options)
  words?.addText(text)
  const isSplit = text.length > options.maxTextCharacters
  const pieces = isSplit ? split({ ...parsed, text }, options) : [{ ...parsed, text }]
  return { pieces, isSplit, format: formatOf(parsed.audioConfig), words }
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
