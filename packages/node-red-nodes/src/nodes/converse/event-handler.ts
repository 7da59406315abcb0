import type { RealtimeConversation, RealtimeEvent, RealtimeItem } from '@parlando/core'
import type { NodeAPI } from 'node-red'
import type { WorkTools } from '../../runtime/work.ts'
import type { FollowUp } from './follow-up.ts'
import type { ConversationMessages, ConverseMessage } from './messages.ts'
import { createResponseSound } from './response-sound.ts'
import { createToolCalls } from './tool-calls.ts'

export interface EventHandlerOptions {
  RED: NodeAPI
  messages: ConversationMessages
  tools: WorkTools<ConverseMessage>
  conversation: RealtimeConversation
  followUp: FollowUp
}

/** Turns the events of a conversation into messages. */
export interface EventHandler {
  /** @throws {Error} that ends the conversation. */
  take(event: RealtimeEvent): void
  /** Ends the sound that is being sent, and forgets the open tool calls. */
  close(): void
}

/** Errors that mean that the service and the client acted at the same time. */
const harmlessErrors = [
  'response_cancel_not_active',
  'conversation_already_has_active_response',
  'input_audio_buffer_commit_empty',
  'item_truncate_invalid_item_id',
]

/** The outputs of the node. */
const outputs = ['sound', 'transcript', 'toolCall'] as const

export function createEventHandler(options: EventHandlerOptions): EventHandler {
  const { RED, messages, conversation, followUp, tools } = options
  const { status } = tools
  const toolCalls = createToolCalls(conversation)
  const speech = createResponseSound({
    conversation,
    messages,
    send: (message) => send('sound', message),
  })
  let responseText = ''
  let responses = 0
  let isResponding = false

  const send = (output: (typeof outputs)[number], message: ConverseMessage) =>
    tools.send(outputs.map((one) => (one === output ? message : null)))
  let heard: NodeJS.Timeout | undefined
  const show = (state: string) => {
    clearTimeout(heard)
    status.working(() => RED._(`converse.status.${state}`))
  }

  const sendTranscript = (role: 'user' | 'assistant', text: string) => {
    if (text.trim() !== '') send('transcript', messages.text(role, text.trim()))
  }
  const callTool = ({ call_id, name, arguments: json }: RealtimeItem) => {
    if (!call_id || !name) return
    toolCalls.begin(call_id)
    send('toolCall', messages.toolCall({ name, callId: call_id }, parseArguments(json)))
    show('tool')
  }
  const endResponse = ({ response }: Extract<RealtimeEvent, { type: 'response.done' }>) => {
    isResponding = false
    speech.end(response.status === 'cancelled')
    if (response.status === 'failed') {
      const reason = response.status_details?.error?.message ?? ''
      throw new Error(RED._('converse.error.response', { reason }))
    }
    responses += 1
    status.conclude(RED._('converse.status.ended', { count: responses }))
    const callsTool = response.output?.some(({ type }) => type === 'function_call')
    if (callsTool) isResponding = true
    else followUp.responded(responseText, conversation.unplayedMs)
    // A response is made faster than it is heard.
    heard = setTimeout(show, conversation.unplayedMs, 'listening')
  }
  /** A sound of the user without words. */
  const ignoreNoise = () => {
    if (!isResponding) followUp.renew(conversation.unplayedMs)
  }

  return {
    take(event) {
      switch (event.type) {
        case 'session.updated':
        case 'restored':
          show('listening')
          if (event.type === 'restored' && event.isResponseLost) conversation.respond()
          return
        case 'reconnecting':
          speech.end(true)
          return status.retrying()
        case 'input_audio_buffer.speech_started':
          followUp.cancel()
          return show('listening')
        case 'input_audio_buffer.speech_stopped':
          return show('thinking')
        case 'conversation.item.input_audio_transcription.completed':
          if (event.transcript.trim() === '') ignoreNoise()
          return sendTranscript('user', event.transcript)
        case 'response.created':
          isResponding = true
          followUp.cancel()
          responseText = ''
          return show('thinking')
        case 'response.output_audio.delta':
          speech.play(event)
          return show('speaking')
        case 'response.output_audio_transcript.done':
          responseText = event.transcript
          return sendTranscript('assistant', responseText)
        case 'response.output_item.done':
          return event.item.type === 'function_call' ? callTool(event.item) : undefined
        case 'paused':
          return speech.pause()
        case 'resumed':
          speech.resume(event)
          return show('speaking')
        case 'interrupted':
          return speech.stop()
        case 'response.done':
          return endResponse(event)
        case 'conversation.item.input_audio_transcription.failed':
        case 'error': {
          const { code, message, param } = event.error
          if (harmlessErrors.includes(code ?? '') || param === 'audio_end_ms') return
          throw new Error(RED._('converse.error.service', { reason: message ?? code ?? '' }))
        }
      }
    },
    close() {
      clearTimeout(heard)
      toolCalls.close()
      speech.close()
    },
  }
}

/** The arguments that a language model wrote, which may not be JSON. */
function parseArguments(json: string | null | undefined): unknown {
  try {
    return JSON.parse(json || '{}')
  } catch {
    return json
  }
}
