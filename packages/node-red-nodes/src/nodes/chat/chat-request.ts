import type { ChatMessage, ChatRequest } from '@parlando/core'
import type { Remembered } from '../../conversations/conversations.ts'
import { withSummary } from '../../conversations/summarize.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { autoModel } from '../../runtime/service-defaults.ts'
import {
  isEmpty,
  isList,
  isPlainObject,
  readSettings,
  withoutEmpty,
} from '../../runtime/settings.ts'
import {
  type MessageContext,
  readTypedInput,
  sourceOf,
  typedInputOrPayload,
} from '../../runtime/typed-input.ts'
import type { ChatInput } from './answer-messages.ts'

/** Settings of the form; empty means: the setting of the service. */
export interface ChatSettings {
  prompt?: string
  promptType?: string
  model?: string
  system?: string
  temperature?: string | number
  maxTokens?: string | number
}

const settingTable = {
  model: { message: 'chatModel', form: 'model', fallback: autoModel },
  system: { message: 'system', form: 'system' },
  temperature: { form: 'temperature', isNumber: true },
  max_tokens: { form: 'maxTokens', isNumber: true },
  tools: { message: 'tools' },
} as const

export interface ChatQuestion {
  request: ChatRequest
  /** The new turn; absent when the message brought the whole conversation. */
  question?: ChatMessage
}

/**
 * Builds the request. The message overrides the form. A text is the next turn of the conversation on its topic; an array of
 * messages is a conversation of its own.
 * @throws {NodeInputError} when there is no question.
 */
export async function readChatRequest(
  context: MessageContext<ChatInput>,
  settings: ChatSettings,
  { turns: previousTurns, summary }: Remembered,
): Promise<ChatQuestion> {
  const { RED, message } = context
  const input = typedInputOrPayload(settings.prompt, settings.promptType)
  const { value } = await readTypedInput(context, input)
  // An inject node sends the time as a number.
  const prompt = typeof value === 'number' ? String(value) : value
  const source = sourceOf(input)
  if (prompt === undefined || prompt === null || prompt === '') {
    throw new NodeInputError(RED._('chat.error.no-prompt', { source }))
  }
  if (typeof prompt !== 'string' && !isList(prompt)) {
    throw new NodeInputError(RED._('chat.error.not-prompt', { source, kind: typeof prompt }))
  }
  const chatOptions = isEmpty(message.chatOptions) ? {} : message.chatOptions
  if (!isPlainObject(chatOptions)) throw new NodeInputError(RED._('chat.error.not-options'))
  const question: ChatMessage | undefined =
    typeof prompt === 'string' ? { role: 'user', content: prompt } : undefined
  const turns = question ? [...previousTurns, question] : (prompt as ChatMessage[])
  const { system: given, ...rest } = readSettings(message, settings, settingTable)
  const system = question ? withSummary(given as string | undefined, summary) : given
  // The client checks the array later; until then it may hold anything.
  const hasSystem = turns.some((turn) => ['system', 'developer'].includes(turn?.role))
  const messages = system && !hasSystem ? [{ role: 'system', content: system }, ...turns] : turns
  const request = { ...rest, messages, ...withoutEmpty(chatOptions) } as ChatRequest
  return { question, request }
}
