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

const what = 'Chat'

/** A language model's answer. */
export interface Chat {
  /** What the model says; empty when it only calls tools, or when `max_tokens` went into reasoning. */
  content: string
  /** What a reasoning model thought before; not meant to be spoken. */
  reasoning: string
  toolCalls: ToolCall[]
  /** The answer as it goes into the `messages` of the next request. */
  message: ChatMessage
  /** The answer spoken, where `audio` asked for it. */
  audio: ChatAudio | undefined
  /** `stop`, `length` when a limit cut it, `tool_calls`, or another word of the service. */
  finishReason: string | undefined
  usage: ChatUsage | undefined
  /** The model that answered, which a router may have chosen. */
  model: string | undefined
  requestId: string
}

/** @throws {InputError} before any I/O, when a field is missing, misspelt or out of range. */
export function parseChatRequest(request: ChatRequest): ChatRequest {
  return parseInput(chatRequestSchema, request, 'Chat request')
}

/** `POST /v1/chat/completions`: lets a language model answer and waits for the whole answer. */
export async function chat(
  { transport }: EndpointContext,
  request: ChatRequest,
  call: Call,
): Promise<Chat> {
  const { stream_options: _, ...body } = parseChatRequest(request)
  const response = await transport.sendForJson(
    {
      what,
      method: 'POST',
      path: '/v1/chat/completions',
      body: { json: { ...body, stream: false } },
    },
    call,
  )
  const { choices, usage, model } = parseResponse(chatResponseSchema, response, what)
  const [choice] = choices
  const turn = choice.message
  const content = readContent(turn)
  const assembly = assembleToolCalls()
  for (const call of readToolCalls(turn, 0)) assembly.add(call)
  const { toolCalls } = assembly
  return {
    content,
    reasoning: readReasoning(turn),
    toolCalls,
    message: assistantMessage(content, toolCalls),
    audio: readChatAudio(turn),
    finishReason: choice.finish_reason || undefined,
    usage: readChatUsage(usage),
    model: model || undefined,
    requestId: response.requestId,
  }
}
