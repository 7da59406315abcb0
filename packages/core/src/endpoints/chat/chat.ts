import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type ChatMessage,
  type ChatRequest,
  chatRequestSchema,
  chatResponseSchema,
} from '../../wire/chat.ts'
import type { EndpointContext } from '../context.ts'
import {
  assistantMessage,
  type ChatAudio,
  type ChatUsage,
  readChatAudio,
  readChatUsage,
  readContent,
  readReasoning,
  readToolCalls,
  type ToolCall,
} from './message.ts'
import { assembleToolCalls } from './tool-calls.ts'

/** The kind of call. */
export const what = 'Chat'

/** A language model's whole response. */
export interface ChatResult {
  /** The text; empty if the model only calls tools, or if reasoning used up `max_tokens`. */
  content: string
  /** The thoughts of a reasoning model, which are not meant to be spoken. */
  reasoning: string
  toolCalls: ToolCall[]
  /** The response as it goes into the `messages` of the next request. */
  message: ChatMessage
  /** The response as speech, if the request asked for `audio`. */
  audio: ChatAudio | undefined
  /** `stop`, `length` if a limit cut the response, `tool_calls`, or another value of the service. */
  finishReason: string | undefined
  usage: ChatUsage | undefined
  /** The model that responded; a router may have chosen it. */
  model: string | undefined
  requestId: string
}

/** @throws {InputError} before any I/O: a field is missing, unknown or out of range. */
export function parseChatRequest(request: ChatRequest): ChatRequest {
  return parseInput(chatRequestSchema, request, 'Chat request')
}

/** `POST /v1/chat/completions`: asks a language model and returns its whole response. */
export async function chat(
  { transport }: EndpointContext,
  request: ChatRequest,
  call: Call,
): Promise<ChatResult> {
  const { stream_options: _, ...body } = parseChatRequest(request)
  const path = '/v1/chat/completions'
  const response = await transport.sendForJson(
    { what, method: 'POST', path, body: { json: { ...body, stream: false } } },
    call,
  )
  const { choices, usage, model } = parseResponse(chatResponseSchema, response)
  const [choice] = choices
  const turn = choice.message
  const content = readContent(turn)
  const assembly = assembleToolCalls()
  for (const toolCall of readToolCalls(turn, 0)) assembly.add(toolCall)
  const { toolCalls } = assembly
  return {
    content,
    reasoning: readReasoning(turn),
    toolCalls,
    message: assistantMessage(content, toolCalls),
    audio: readChatAudio(turn, response),
    finishReason: choice.finish_reason || undefined,
    usage: readChatUsage(usage),
    model: model || undefined,
    requestId: response.requestId,
  }
}
