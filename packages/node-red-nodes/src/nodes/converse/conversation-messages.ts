import type { NodeAPI } from 'node-red'
import type { SoundMessage } from '../../sounds/chunk-sequences.ts'
import { pcmMessages } from '../../sounds/pcm-messages.ts'

/** A call of a tool. The message with its result still has this object. */
export interface OpenToolCall {
  name: string
  callId: string
}

export interface ConverseMessage extends SoundMessage {
  instructions?: unknown
  voiceId?: unknown
  chatModel?: unknown
  language?: unknown
  tools?: unknown
  tool?: OpenToolCall
  /** Who said the text in the payload. */
  role?: 'user' | 'assistant'
  /** About what the user said. */
  transcript?: { language: string }
  /** The user interrupted this sound or text. */
  interrupted?: boolean
  stop?: boolean
}

/** The call whose result a message has. `msg.tool` may also be a property of the flow. */
export function toolCallOf({ tool }: ConverseMessage): OpenToolCall | undefined {
  return typeof tool?.callId === 'string' ? tool : undefined
}

/** Makes the messages of a conversation. Each has the properties of the message that began it, such as the topic. */
export function conversationMessages(RED: Pick<NodeAPI, 'util'>, first: ConverseMessage) {
  const { payload: _payload, parts: _parts, complete: _complete, audio: _audio, ...rest } = first
  const { tool: _tool, tools: _tools, instructions: _instructions, ...others } = rest
  const { transcript: _transcript, ...properties } = others
  const base = RED.util.cloneMessage(properties as ConverseMessage)
  const next = (facts: Partial<ConverseMessage>): ConverseMessage => ({
    ...RED.util.cloneMessage(base),
    _msgid: RED.util.generateId(),
    ...facts,
  })
  return {
    /** @param language that was spoken, if it is known. */
    text: (role: ConverseMessage['role'], payload: string, language?: string) =>
      next({ payload, role, ...(language && { transcript: { language } }) }),
    toolCall: (tool: OpenToolCall, payload: unknown) => next({ payload, tool }),
    /** Stops the node that plays. */
    stop: () => next({ stop: true }),
    /** Begins the speech of a response. */
    sound: () => soundMessages(RED.util.generateId(), next),
  }
}

/** The messages of the speech of a response. */
function soundMessages(id: string, make: (facts: Partial<ConverseMessage>) => ConverseMessage) {
  const sound = pcmMessages(id, sessionRateHertz)
  return {
    /** `msg.parts.id` of the messages. */
    id,
    next: (pcm: Uint8Array): ConverseMessage => make(sound.next(pcm)),
    last: (isInterrupted: boolean): ConverseMessage =>
      make({ ...sound.last(), ...(isInterrupted && { interrupted: true }) }),
  }
}

export type SoundMessages = ReturnType<typeof soundMessages>
export type ConversationMessages = ReturnType<typeof conversationMessages>

/** The only rate that every realtime service supports. */
export const sessionRateHertz = 24_000
