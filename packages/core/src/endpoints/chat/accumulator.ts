import { ProtocolError } from '../../errors.ts'
import { statedProblem } from '../../http/stated-problem.ts'
import type { HttpResponse } from '../../http/transport.ts'
import { type ChatTurn, chatChunkSchema, chatTurnSchema } from '../../wire/chat.ts'
import {
  type ChatAudio,
  type ChatUsage,
  readChatAudio,
  readChatUsage,
  readContent,
  readReasoning,
  readToolCalls,
  type ToolCall,
  type ToolCallDelta,
} from './message.ts'
import { assembleToolCalls } from './tool-calls.ts'

/** The next bit of an answer; at least one of its members is there. */
export interface ChatDelta {
  /** What the model says; never empty. */
  content?: string
  /** What a reasoning model thinks before; not meant to be spoken. Never empty. */
  reasoning?: string
  /** Bits of tool calls; `stream.toolCalls` has them put together. */
  toolCalls?: ToolCallDelta[]
  /** The next bit of the answer spoken, where `audio` asked for it. */
  audio?: ChatAudio
}

export interface ChatRecord {
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: ToolCall[]
  readonly finishReason: string | undefined
  readonly usage: ChatUsage | undefined
  readonly model: string | undefined
  /**
   * Takes the data of one event. @returns what is new in it, if it says anything.
   * @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE`, `RESPONSE_TOO_LARGE`.
   */
  read(data: string, response: Pick<HttpResponse, 'requestId' | 'errorOf'>): ChatDelta | undefined
}

/** Remembers what the events of one streamed answer say. */
export function createChatRecord({ maxCharacters }: { maxCharacters: number }): ChatRecord {
  const assembly = assembleToolCalls()
  let content = ''
  let reasoning = ''
  let characters = 0
  let finishReason: string | undefined
  let usage: ChatUsage | undefined
  let model: string | undefined

  const add = (delta: ChatDelta): ChatDelta | undefined => {
    content += delta.content ?? ''
    reasoning += delta.reasoning ?? ''
    characters += (delta.content?.length ?? 0) + (delta.reasoning?.length ?? 0)
    for (const call of delta.toolCalls ?? []) {
      assembly.add(call)
      // A bit counts even when it says nothing: something is kept of it.
      characters += [call.id, call.name, call.arguments].join(' ').length
    }
    return Object.keys(delta).length > 0 ? delta : undefined
  }

  return {
    get content() {
      return content
    },
    get reasoning() {
      return reasoning
    },
    get toolCalls() {
      return assembly.toolCalls
    },
    get finishReason() {
      return finishReason
    },
    get usage() {
      return usage
    },
    get model() {
      return model
    },
    read(data, { requestId, errorOf }) {
      const chunk = parseChunk(data, requestId)
      if (chunk.error) throw errorOf(statedProblem(chunk.error))
      usage = readChatUsage(chunk.usage) ?? usage
      model = chunk.model || model
      const choice = chunk.choices?.find(({ index }) => !index)
      finishReason = choice?.finish_reason || finishReason
      // Some repeat at the end as a message what they have said bit by bit.
      const turn = choice?.delta ?? (characters === 0 ? readWhole(choice?.['message']) : undefined)
      const delta = turn && add(readDelta(turn, assembly.size))
      if (characters <= maxCharacters) return delta ?? undefined
      throw new ProtocolError(
        `Chat failed: the answer is longer than the limit of ${maxCharacters} characters`,
        { code: 'RESPONSE_TOO_LARGE', requestId },
      )
    },
  }
}

/** What a server says all at once that does not stream. */
function readWhole(message: unknown): ChatTurn | undefined {
  return chatTurnSchema.safeParse(message).data
}

function readDelta(turn: ChatTurn, knownToolCalls: number): ChatDelta {
  const content = readContent(turn)
  const reasoning = readReasoning(turn)
  const toolCalls = readToolCalls(turn, knownToolCalls)
  const audio = readChatAudio(turn)
  return {
    ...(content && { content }),
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(audio && { audio }),
  }
}

function parseChunk(data: string, requestId: string) {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    // The parser's own error quotes what it could not read.
    throw new ProtocolError('Chat failed: an event of the answer is not JSON', {
      code: 'BAD_RESPONSE',
      requestId,
    })
  }
  const chunk = chatChunkSchema.safeParse(json)
  if (chunk.success) return chunk.data
  throw new ProtocolError('Chat failed: an event has not the shape of a chat chunk', {
    code: 'BAD_RESPONSE',
    requestId,
  })
}
