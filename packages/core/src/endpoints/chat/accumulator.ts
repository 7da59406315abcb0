import { statedProblem } from '../../http/stated-problem.ts'
import type { HttpResponse } from '../../http/transport.ts'
import { badResponse, type RequestName, responseTooLarge } from '../../protocol-errors.ts'
import { type ChatTurn, chatChunkSchema, chatTurnSchema } from '../../wire/chat.ts'
import { parseJson } from '../../wire/json.ts'
import { errorIn } from '../../wire/problem.ts'
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

/** The next part of a streamed response; at least one member is present. */
export interface ChatDelta {
  /** The next characters of the text; never empty. */
  content?: string
  /** The next characters of a reasoning model's thoughts, which are not meant to be spoken; never empty. */
  reasoning?: string
  /** Parts of tool calls; `stream.toolCalls` contains them assembled. */
  toolCalls?: ToolCallDelta[]
  /** The next part of the speech, if the request asked for `audio`. */
  audio?: ChatAudio
}

export interface ChatAccumulator {
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: ToolCall[]
  readonly finishReason: string | undefined
  readonly usage: ChatUsage | undefined
  readonly model: string | undefined
  /**
   * Adds the data of one event. @returns the new parts of the response, if there are any.
   * @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE`, `RESPONSE_TOO_LARGE`.
   */
  add(
    data: string,
    response: Pick<HttpResponse, 'what' | 'requestId' | 'errorOf'>,
  ): ChatDelta | undefined
}

/** Accumulates the events of one streamed response. */
export function createChatAccumulator({
  maxCharacters,
}: {
  maxCharacters: number
}): ChatAccumulator {
  const assembly = assembleToolCalls()
  let content = ''
  let reasoning = ''
  let characters = 0
  let finishReason: string | undefined
  let usage: ChatUsage | undefined
  let model: string | undefined

  const addDelta = (delta: ChatDelta, request: RequestName): void => {
    content += delta.content ?? ''
    reasoning += delta.reasoning ?? ''
    characters += (delta.content?.length ?? 0) + (delta.reasoning?.length ?? 0)
    for (const call of delta.toolCalls ?? []) {
      assembly.add(call)
      // The separators count, too: even an empty part takes memory.
      characters += [call.id, call.name, call.arguments].join(' ').length
    }
    if (characters <= maxCharacters) return
    const problem = `the response is longer than the limit of ${maxCharacters} characters`
    throw responseTooLarge(request, problem)
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
    add(data, response) {
      const chunk = parseChunk(data, response)
      const error = chunk.choices ? chunk.error : errorIn(chunk)
      if (error) throw response.errorOf(statedProblem(error))
      usage = readChatUsage(chunk.usage) ?? usage
      model = chunk.model || model
      const choice = chunk.choices?.find(({ index }) => !index)
      finishReason = choice?.finish_reason || finishReason
      const turn = choice?.delta ?? unstreamedMessage(choice, characters)
      if (!turn) return undefined
      const delta = readDelta(turn, assembly.size, response)
      addDelta(delta, response)
      return Object.keys(delta).length > 0 ? delta : undefined
    },
  }
}

/**
 * The whole `message` of a service that does not stream. A service that does stream may repeat its deltas as a message
 * at the end, so a message counts only if nothing was received before it.
 */
function unstreamedMessage(
  choice: { [member: string]: unknown } | undefined,
  receivedCharacters: number,
): ChatTurn | undefined {
  return receivedCharacters === 0 ? chatTurnSchema.safeParse(choice?.['message']).data : undefined
}

function readDelta(turn: ChatTurn, knownToolCalls: number, request: RequestName): ChatDelta {
  const content = readContent(turn)
  const reasoning = readReasoning(turn)
  const toolCalls = readToolCalls(turn, knownToolCalls)
  const audio = readChatAudio(turn, request)
  return {
    ...(content && { content }),
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(audio && { audio }),
  }
}

function parseChunk(data: string, request: RequestName) {
  const json = parseJson(data)
  if (json === undefined) throw badResponse(request, 'an event in the response is not JSON')
  const chunk = chatChunkSchema.safeParse(json)
  if (chunk.success) return chunk.data
  throw badResponse(request, 'unexpected event format in the response')
}
