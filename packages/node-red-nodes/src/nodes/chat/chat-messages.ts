import {
  type ChatStream,
  type ChatUsage,
  createSentenceCutter,
  type ToolCall,
} from '@parlando/core'
import { innerParts } from '../../shared/inner-parts.ts'
import type { ChatInput } from './chat-request.ts'

/** Facts about the answer, as they go out in `msg.chat`. */
export interface ChatFacts {
  /** The model that answered, which a router may have chosen. */
  model?: string
  /** `stop`, `length` when a limit cut it, `tool_calls`, or another word of the service. */
  finishReason?: string
  usage?: ChatUsage
  toolCalls: ToolCall[]
  /** From the request to the first word. */
  firstTextMs?: number
}

export interface ChatOutput extends ChatInput {
  /** What a reasoning model thought before; not meant to be spoken. */
  reasoning?: string
  chat?: ChatFacts
  complete?: boolean
}

export interface AnswerOptions {
  stream: ChatStream
  /** The message that came in; it goes out last. */
  message: ChatOutput
  output: 'whole' | 'deltas' | 'sentences'
  /** Ties the messages of this answer together. */
  sequenceId: string
  clone(message: ChatOutput): ChatOutput
}

export interface AnswerStep {
  /** So many characters have come so far. */
  characters: number
  /** What to send now, if anything. */
  message?: ChatOutput
}

/**
 * Turns an answer into messages as it is written: all at once, a clone of the message for every delta, or one for every
 * sentence, as soon as it has ended. A sequence is closed by the message itself with an empty text, which also carries
 * the facts. Until then the message stays as it came, so that Catch gets it whole when the chat fails.
 */
export async function* answer(options: AnswerOptions): AsyncGenerator<AnswerStep, void> {
  const { stream, message, output, sequenceId, clone } = options
  const startedAt = performance.now()
  const pieces = createPieces(output)
  const {
    payload: _prompt,
    complete: _complete,
    reasoning: _thought,
    chat: _facts,
    parts: outerParts,
    ...rest
  } = message
  const separator = output === 'sentences' ? ' ' : ''
  const parts = innerParts({ id: sequenceId, type: 'string', ch: separator }, outerParts)
  let firstTextMs: number | undefined
  let index = 0

  const pieceMessage = (payload: string): ChatOutput => {
    const next = clone({ ...rest, parts: { ...parts, index: index++ } })
    next.payload = payload
    return next
  }

  for await (const { content } of stream) {
    if (content === undefined) {
      yield { characters: stream.content.length }
      continue
    }
    firstTextMs ??= performance.now() - startedAt
    const texts = pieces.push(content)
    if (texts.length === 0) yield { characters: stream.content.length }
    for (const text of texts) {
      yield { characters: stream.content.length, message: pieceMessage(text) }
    }
  }
  for (const text of pieces.end()) {
    yield { characters: stream.content.length, message: pieceMessage(text) }
  }

  const { model, finishReason, usage, toolCalls, reasoning } = stream
  message.payload = output === 'whole' ? stream.content : ''
  message.chat = { model, finishReason, usage, toolCalls, firstTextMs: rounded(firstTextMs) }
  if (reasoning) message.reasoning = reasoning
  // That of a node before this one belongs to another answer.
  else delete message.reasoning
  if (output !== 'whole') {
    message.parts = { ...parts, index, count: index + 1 }
    message.complete = true
  }
  yield { characters: stream.content.length, message }
}

interface Pieces {
  push(text: string): string[]
  end(): string[]
}

function createPieces(output: AnswerOptions['output']): Pieces {
  if (output === 'sentences') return createSentenceCutter()
  return { push: (text) => (output === 'deltas' ? [text] : []), end: () => [] }
}

function rounded(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Number(milliseconds.toFixed(1))
}
