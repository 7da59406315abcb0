import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type ChatMessage,
  type ChatRequest,
  chatRequestSchema,
  chatResponseSchema,
} from '../../wire/chat-completion.ts'
import { type ChatModel, chatModelListSchema } from '../../wire/models.ts'
import { type ToolCall, ToolCallAssembly } from '../../wire/tool-calls.ts'
import type { EndpointContext } from '../response-source.ts'
import {
  assistantMessage,
  type ChatAudio,
  type ChatUsage,
  readChatAudio,
  readChatUsage,
  readContent,
  readReasoning,
} from './message.ts'

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

/** The language models of the service. */
export interface ChatModelList {
  models: ChatModel[]
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
    chatResponseSchema,
    { method: 'POST', path, body: { json: { ...body, stream: false } } },
    call,
  )
  const { choices, usage, model } = response.data
  const [choice] = choices
  const turn = choice.message
  const content = readContent(turn)
  const assembly = new ToolCallAssembly()
  for (const part of turn.tool_calls ?? []) assembly.add(part)
  const toolCalls = assembly.list
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

/** `GET /llm/v1alpha/models`: lists the language models for chat. */
export async function listChatModels(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<ChatModelList> {
  const request = { method: 'GET', path: '/llm/v1alpha/models' } as const
  const { data, requestId } = await transport.sendForJson(chatModelListSchema, request, call)
  return { models: data.models ?? [], requestId }
}
