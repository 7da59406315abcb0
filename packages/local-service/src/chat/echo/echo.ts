import type { ChatMessage, ChatRequest } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import type { Completion } from './format-completion.ts'

/** The built-in model's name in requests. */
export const echoModel = 'svc/models/echo'

/** Maximum number of words in one response, even if a request allows more. */
export const maxEchoWords = 1000

/**
 * The built-in model: says what it is and repeats the last message of the user, always in the same way, so that flows
 * can be wired and tested without a language model. Its tokens are words.
 * @throws {ServiceError} for a message that it cannot read.
 */
export function echo(request: ChatRequest): Completion {
  const texts = request.messages.map(textOf)
  const last = request.messages.findLastIndex(({ role }) => role === 'user')
  const said = texts[last]?.trim()
  const repeated = said ? `You said: ${said}` : 'You said nothing.'
  const text = `This is the echo of this device, not a language model. ${repeated}`
  const limit = Math.min(
    request.max_tokens ?? maxEchoWords,
    request.max_completion_tokens ?? maxEchoWords,
    maxEchoWords,
  )
  const words = firstWords(cutAtStop(text, request.stop), limit + 1)
  return {
    model: echoModel,
    words: words.slice(0, limit),
    finishReason: words.length > limit ? 'length' : 'stop',
    promptTokens: texts.reduce((count, text) => count + countWords(text), 0),
  }
}

function textOf({ content }: ChatMessage): string {
  if (!Array.isArray(content)) return content ?? ''
  return content
    .map((part) => {
      if (part.type === 'text' && typeof part['text'] === 'string') return part['text']
      const message = `${echoModel} reads only text; it cannot read a part of type ${part.type}`
      throw new ServiceError('UNIMPLEMENTED', message)
    })
    .join(' ')
}

function cutAtStop(text: string, stop: ChatRequest['stop']): string {
  const positions = [stop ?? []].flat().map((end) => text.indexOf(end))
  return text.slice(0, Math.min(text.length, ...positions.filter((position) => position >= 0)))
}

/**
 * The first words of the text, each with the white space before it. The lookbehind keeps this linear: without it, each
 * character of trailing white space would start another search for a word.
 */
function firstWords(text: string, count: number): string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/(?<!\s)\s*\S+/g)) {
    if (words.push(word) === count) break
  }
  return words
}

/** Counts without a string for each word, which a text of a megabyte may have 500,000 of. */
function countWords(text: string): number {
  let count = 0
  let isAfterSpace = true
  for (let at = 0; at < text.length; at++) {
    const isSpace = isWhiteSpace(text, at)
    if (isAfterSpace && !isSpace) count++
    isAfterSpace = isSpace
  }
  return count
}

function isWhiteSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code <= 0x20 || (code >= 0x80 && text.charAt(at).trim() === '')
}
