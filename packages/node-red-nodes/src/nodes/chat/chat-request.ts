import type { ChatMessage, ChatRequest } from '@parlando/core'
import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import {
  isPlainObject,
  readSetting,
  settingOrPayload,
  sourceOf,
  toNumber,
  trimmed,
  withoutEmpty,
} from '../../shared/setting.ts'

/** What the form sets; a number may come as text from the form, and empty means: as the service has it. */
export interface ChatSettings {
  prompt?: string
  promptType?: string
  model: string
  system: string
  temperature: string | number
  maxTokens: string | number
}

export interface ChatInput extends NodeMessageInFlow {
  /** Each holds for this message alone. */
  chatModel?: unknown
  system?: unknown
  tools?: unknown
  /** Further fields of the request, such as `temperature` or `tool_choice`. */
  chatOptions?: unknown
}

export interface ChatQuestion {
  request: ChatRequest
  /** The new turn; absent when the message brought the whole conversation itself. */
  question?: ChatMessage
}

// So that a node answers as soon as it is wired, with no model chosen.
const builtInModel = 'svc/models/echo'

/**
 * Puts together what to ask: the message's own settings first, the form's where it has none. A text is asked after what
 * was said before on its topic; an array of messages is a conversation of its own.
 * @throws {NodeInputError} when there is nothing to ask.
 */
export async function readChatQuestion(
  RED: NodeAPI,
  node: Node,
  settings: ChatSettings,
  message: ChatInput,
  turnsBefore: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<ChatQuestion> {
  const setting = settingOrPayload(settings.prompt, settings.promptType)
  const { value: prompt } = await readSetting(RED, node, setting, message, signal)
  const source = sourceOf(setting)
  if (prompt === undefined || prompt === null || prompt === '') {
    throw new NodeInputError(RED._('chat.error.no-prompt', { source }))
  }
  if (typeof prompt !== 'string' && !Array.isArray(prompt)) {
    throw new NodeInputError(RED._('chat.error.not-prompt', { source, kind: typeof prompt }))
  }
  const chatOptions = message.chatOptions ?? {}
  if (!isPlainObject(chatOptions)) throw new NodeInputError(RED._('chat.error.not-options'))
  const question: ChatMessage | undefined =
    typeof prompt === 'string' ? { role: 'user', content: prompt } : undefined
  const turns = question ? [...turnsBefore, question] : (prompt as ChatMessage[])
  const system = message.system || settings.system
  // What is in the array is checked by the client; until then anything may be in it.
  const hasSystem = turns.some((turn) => ['system', 'developer'].includes(turn?.role))
  const messages: ChatMessage[] =
    system && !hasSystem ? [{ role: 'system', content: system as string }, ...turns] : turns
  return {
    question,
    request: {
      model: (message.chatModel || trimmed(settings.model) || builtInModel) as string,
      messages,
      temperature: toNumber(settings.temperature),
      max_tokens: toNumber(settings.maxTokens),
      tools: (message.tools || undefined) as ChatRequest['tools'],
      ...(withoutEmpty(chatOptions) as Partial<ChatRequest>),
    },
  }
}

export function topicOf(message: NodeMessageInFlow): string {
  return message.topic === undefined ? '' : String(message.topic)
}
