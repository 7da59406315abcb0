import type { HttpResponse } from '../../http/response.ts'
import { statedProblem } from '../../http/stated-problem.ts'
import { responseTooLarge } from '../../protocol-errors.ts'
import {
  type ChatMessage,
  type ChatTurn,
  chatChunkSchema,
  chatTurnSchema,
} from '../../wire/chat-completion.ts'
import { parseJson } from '../../wire/decode.ts'
import { errorIn } from '../../wire/problem.ts'
import { type ToolCall, ToolCallAssembly, type ToolCallDelta } from '../../wire/tool-calls.ts'
import {
  assistantMessage,
  type ChatAudio,
  type ChatUsage,
  readChatAudio,
  readChatUsage,
  readContent,
  readReasoning,
} from './message.ts'

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

/** The response of a language model, assembled from the events of its stream. */
export class ChatReply {
  /** The `X-Request-Id` of the request. */
  requestId: string | undefined = undefined
  content = ''
  reasoning = ''
  finishReason: string | undefined = undefined
  usage: ChatUsage | undefined = undefined
  model: string | undefined = undefined
  readonly #maxCharacters: number
  #toolCalls = new ToolCallAssembly()
  #characters = 0

  constructor({ maxCharacters }: { maxCharacters: number }) {
    this.#maxCharacters = maxCharacters
  }

  get toolCalls(): ToolCall[] {
    return this.#toolCalls.list
  }

  /** The response as it goes into the `messages` of the next request. */
  get message(): ChatMessage {
    return assistantMessage(this.content, this.toolCalls)
  }

  /** Begins another response. */
  reset(): void {
    this.content = ''
    this.reasoning = ''
    this.finishReason = undefined
    this.usage = undefined
    this.model = undefined
    this.#toolCalls = new ToolCallAssembly()
    this.#characters = 0
  }

  /**
   * Adds the data of one event. @returns the new parts of the response, if there are any.
   * @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE`, `RESPONSE_TOO_LARGE`.
   */
  add(data: string, response: ChatResponse): ChatDelta | undefined {
    const chunk = parseChunk(data, response)
    const error = chunk.choices ? chunk.error : errorIn(chunk)
    if (error) throw response.errorOf(statedProblem(error))
    this.usage = readChatUsage(chunk.usage) ?? this.usage
    this.model = chunk.model || this.model
    const choice = chunk.choices?.find(({ index }) => !index)
    this.finishReason = choice?.finish_reason || this.finishReason
    const turn = choice?.delta ?? unstreamedMessage(choice, this.#characters)
    if (!turn) return undefined
    const delta = readDelta(turn, this.#toolCalls, response)
    this.#addDelta(delta, response)
    return Object.keys(delta).length > 0 ? delta : undefined
  }

  #addDelta(delta: ChatDelta, response: ChatResponse): void {
    this.content += delta.content ?? ''
    this.reasoning += delta.reasoning ?? ''
    this.#characters += (delta.content?.length ?? 0) + (delta.reasoning?.length ?? 0)
    for (const call of delta.toolCalls ?? []) {
      // The separators count, too: even an empty part takes memory.
      this.#characters += [call.id, call.name, call.arguments].join(' ').length
    }
    if (this.#characters <= this.#maxCharacters) return
    const problem = `the response is longer than the limit of ${this.#maxCharacters} characters`
    throw responseTooLarge(response, problem)
  }
}

type ChatResponse = Pick<HttpResponse, 'what' | 'requestId' | 'errorOf' | 'bad'>

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

function readDelta(
  turn: ChatTurn,
  assembly: ToolCallAssembly,
  response: Pick<HttpResponse, 'bad'>,
): ChatDelta {
  const content = readContent(turn)
  const reasoning = readReasoning(turn)
  const toolCalls = (turn.tool_calls ?? []).map((part) => assembly.add(part))
  const audio = readChatAudio(turn, response)
  return {
    ...(content && { content }),
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(audio && { audio }),
  }
}

function parseChunk(data: string, { bad }: ChatResponse) {
  const json = parseJson(data)
  if (json === undefined) throw bad('an event in the response is not JSON')
  const chunk = chatChunkSchema.safeParse(json)
  if (chunk.success) return chunk.data
  throw bad('unexpected event format in the response')
}
