import { setImmediate } from 'node:timers/promises'
import type { ChatDelta, ChatMessage, ChatStream } from '@parlando/core'
import { createSentenceCutter } from '@parlando/core/text'
import type { NodeMessageInFlow } from 'node-red'
import { innerParts } from '../../runtime/sequences.ts'

export interface ChatInput extends NodeMessageInFlow {
  chatModel?: unknown
  system?: unknown
  tools?: unknown
  /** Further fields of the request, such as `temperature` or `tool_choice`. */
  chatOptions?: unknown
}

/** Facts about the answer, sent in `msg.chat`. */
export type ChatFacts = Pick<ChatStream, 'model' | 'finishReason' | 'usage' | 'toolCalls'> & {
  /** Time from the request to the first text. */
  firstTextMs?: number
  /** The calls of tools of an MCP server, and their results, as turns of the conversation; absent if there were none. */
  turns?: readonly ChatMessage[]
}

export interface ChatOutput extends ChatInput {
  /** The reasoning of the model before its answer; not meant to be spoken. */
  reasoning?: string
  chat?: ChatFacts
  complete?: boolean
}

type AnswerPart = 'content' | 'reasoning' | 'toolCalls' | 'finishReason' | 'usage' | 'model'

/** An answer while it is written. */
export interface ChatAnswer
  extends Pick<ChatStream, AnswerPart | 'message'>,
    AsyncIterable<ChatDelta> {
  readonly turns?: readonly ChatMessage[]
}

export interface AnswerOptions {
  stream: ChatAnswer
  /** The incoming message; it is sent last. */
  message: ChatOutput
  output: 'whole' | 'deltas' | 'sentences'
  /** `msg.parts.id` of the messages of this answer. */
  sequenceId: string
  clone(message: ChatOutput): ChatOutput
}

export interface AnswerStep {
  /** Length of the answer so far. */
  characters: number
  /** The message to send now, if any. */
  message?: ChatOutput
}

/**
 * Turns an answer into messages while it is written: one message with the whole answer, a clone of the message for every
 * delta, or a clone for every sentence as soon as it is complete. The final message of a sequence is the incoming message
 * with the facts, and with the last sentence or, after deltas, an empty text. Until then it stays unchanged, so that Catch
 * receives the original if the chat fails.
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
    for await (const texts of pieces.push(content)) {
      if (texts.length === 0) yield { characters: stream.content.length }
      for (const text of texts) {
        yield { characters: stream.content.length, message: pieceMessage(text) }
      }
    }
  }
  const remaining = pieces.end()
  const last = remaining.pop() ?? ''
  for (const text of remaining) {
    yield { characters: stream.content.length, message: pieceMessage(text) }
  }

  const { model, finishReason, usage, toolCalls, reasoning } = stream
  message.payload = output === 'whole' ? stream.content : last
  message.chat = { model, finishReason, usage, toolCalls, firstTextMs: rounded(firstTextMs) }
  if (stream.turns?.length) message.chat.turns = stream.turns
  if (reasoning) message.reasoning = reasoning
  // The reasoning that an earlier node left belongs to another answer.
  else delete message.reasoning
  if (output !== 'whole') {
    message.parts = { ...parts, index, count: index + 1 }
    message.complete = true
  }
  yield { characters: stream.content.length, message }
}

/** Cuts the deltas of an answer into the texts to send. */
interface Pieces {
  /** @returns the texts of each step; between steps, the event loop serves other flows. */
  push(text: string): Iterable<string[]> | AsyncIterable<string[]>
  end(): string[]
}

function createPieces(output: AnswerOptions['output']): Pieces {
  if (output === 'sentences') return createSentencePieces()
  return { push: (text) => [output === 'deltas' ? [text] : []], end: () => [] }
}

// Some services send the whole answer as one delta. Cutting this much takes up to 10 ms.
const maxStepCharacters = 16_384

// Speech of this length takes longer than a model needs to write the rest of the sentence.
const openingCharacters = 18

/**
 * Cuts sentences, and the first of them where a speaker may pause, so that its speech begins early. The line breaks after the
 * last sentence would end it early, and leave nothing for the final message, so white space waits for the text after it.
 */
function createSentencePieces(): Pieces {
  const cutter = createSentenceCutter({ openingCharacters })
  let blanks = ''
  return {
    async *push(delta) {
      const text = delta.trimEnd()
      const before = blanks
      blanks = (text === '' ? blanks : '') + delta.slice(text.length)
      const next = text === '' ? '' : before + text
      yield cutter.push(next.slice(0, maxStepCharacters))
      for (let start = maxStepCharacters; start < next.length; start += maxStepCharacters) {
        await setImmediate()
        yield cutter.push(next.slice(start, start + maxStepCharacters))
      }
    },
    end: () => cutter.end(),
  }
}

function rounded(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Number(milliseconds.toFixed(1))
}
