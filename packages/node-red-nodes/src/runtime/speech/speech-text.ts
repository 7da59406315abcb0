import { isDate } from 'node:util/types'
import { hasSpeakable, speakableText } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../failure.ts'
import { sharedText } from '../texts.ts'
import {
  type MessageContext,
  readTypedInput,
  sourceOf,
  typedInputOrPayload,
} from '../typed-input.ts'
import type { SpeechMessage, SpeechSettings } from './speech-request.ts'

/**
 * Reads the text to speak: a string, number, boolean or date.
 * @returns An empty text where a part of a sequence has nothing to say: the sequence still needs a message for each part.
 * @throws {NodeInputError} when the value cannot be spoken, or a message outside a sequence has nothing to say.
 */
export async function readSpeechText(
  context: MessageContext<SpeechMessage>,
  settings: SpeechSettings,
): Promise<string> {
  const { RED, message } = context
  const input = typedInputOrPayload(settings.text, settings.textType)
  const { value } = await readTypedInput(context, input)
  const source = sourceOf(input)
  if (value === undefined || value === null) {
    throw new NodeInputError(sharedText(RED, 'error.no-text', { source }))
  }
  const text = spokenForm(value, settings.language)
  if (text === undefined) {
    const kind = Array.isArray(value) ? 'array' : Buffer.isBuffer(value) ? 'buffer' : 'object'
    throw new NodeInputError(sharedText(RED, `error.not-text.${kind}`, { source }))
  }
  const spoken = cleaned(text, settings)
  if (spoken.trim() !== '') return spoken
  if (message.parts) return ''
  const error = text.trim() === '' ? 'no-text' : 'nothing-left'
  throw new NodeInputError(sharedText(RED, `error.${error}`, { source }))
}

/**
 * Finds the text to speak at once, for a message that waits for its turn.
 * @returns nothing if no property of the message holds it as a string.
 */
export function findSpeechText(
  RED: NodeAPI,
  message: SpeechMessage,
  settings: SpeechSettings,
): string | undefined {
  const { value: property, type } = typedInputOrPayload(settings.text, settings.textType)
  if (type !== 'msg') return undefined
  try {
    const value: unknown = RED.util.getMessageProperty(message, property)
    const text = typeof value === 'string' ? cleaned(value, settings) : ''
    return text.trim() === '' ? undefined : text
  } catch {
    // As for `a.b` of a message without `a`.
    return undefined
  }
}

function cleaned(text: string, { clean }: SpeechSettings): string {
  return clean ? withoutBarePunctuation(speakableText(text)) : text
}

/** The text of a value that can be spoken. A date of a function node has another prototype. */
function spokenForm(value: unknown, language: unknown): string | undefined {
  if (isDate(value)) return Number.isNaN(value.getTime()) ? undefined : dateText(value, language)
  const isSpoken = ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
  return isSpoken ? String(value) : undefined
}

/** Day and time in the time zone of Node-RED. Without a valid language in English, which the voices of this device speak. */
function dateText(date: Date, language: unknown): string {
  const style = { dateStyle: 'long', timeStyle: 'short' } as const
  try {
    return date.toLocaleString(String(language || 'en-US'), style)
  } catch {
    return date.toLocaleString('en-US', style)
  }
}

/** Cleaning a line that was only an emoji or a URL may leave a full stop. */
function withoutBarePunctuation(text: string): string {
  return hasSpeakable(text) ? text : ''
}
