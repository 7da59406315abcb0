import type { ChatMessage, ChatRequest } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import type { Completion } from './completion.ts'

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
  const words = wordsOf(
    cutAtStop(`This is the echo of this device, not a language model. ${repeated}`, request.stop),
  )
  const limit = Math.min(
    request.max_tokens ?? maxEchoWords,
    request.max_completion_tokens ?? maxEchoWords,
    maxEchoWords,
  )
  const spoken = words.slice(0, limit)
  return {
    model: echoModel,
    words: spoken,
    finishReason: spoken.length < words.length ? 'length' : 'stop',
    promptTokens: texts.reduce((count, text) => count + wordsOf(text).length, 0),
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
 * The words of the text, each with the white space before it. The lookbehind keeps this linear: without it, each character
 * of trailing white space would start another search for a word.
 */
function wordsOf(text: string): string[] {
  return text.match(/(?<!\s)\s*\S+/g) ?? []
}
