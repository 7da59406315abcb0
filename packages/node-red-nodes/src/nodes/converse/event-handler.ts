import type { RealtimeConversation, RealtimeEvent, RealtimeItem } from '@parlando/core'
import { ApiError } from '@parlando/core/errors'
import type { NodeAPI } from 'node-red'
import type { ServedTools } from '../../mcp/tool-server.ts'
import type { ConnectedContext } from '../../runtime/work.ts'
import { createConversationDisplay } from './conversation-display.ts'
import type { ConversationMessages, ConverseMessage } from './conversation-messages.ts'
import type { Filler } from './filler.ts'
import type { FollowUp } from './follow-up.ts'
import type { Memory } from './memory.ts'
import { createResponseSound } from './response-sound.ts'
import { createToolCalls } from './tool-calls.ts'

export interface EventHandlerOptions {
  RED: NodeAPI
  messages: ConversationMessages
  context: ConnectedContext<ConverseMessage>
  conversation: RealtimeConversation
  followUp: FollowUp
  filler: Filler
  memory: Memory | undefined
  /** The tools of an MCP server, if the form names one. */
  served: ServedTools | undefined
  /** Receives failures that do not end the conversation. */
  report(error: Error): void
}

/** Errors that mean that the service and the client acted at the same time. */
const harmlessErrors = [
  'response_cancel_not_active',
  'conversation_already_has_active_response',
  'input_audio_buffer_commit_empty',
  'item_truncate_invalid_item_id',
]

const outputs = ['sound', 'transcript', 'toolCall'] as const

/** Turns the events of a conversation into messages. */
export class EventHandler {
  readonly #options: EventHandlerOptions
  readonly #toolCalls
  readonly #speech
  readonly #display = createConversationDisplay()
  #responseText = ''
  #responses = 0
  #isResponding = false
  /** The timer that ends when the user has heard the response. */
  #heard: NodeJS.Timeout | undefined

  constructor(options: EventHandlerOptions) {
    const { conversation, messages, served } = options
    this.#options = options
    this.#toolCalls = createToolCalls(conversation, served)
    this.#speech = createResponseSound({
      conversation,
      messages,
      send: (message) => this.#send('sound', message),
      onPlaying: this.#display.playsOn,
    })
  }

  /** @throws {Error} that ends the conversation. */
  take(event: RealtimeEvent) {
    const { followUp, filler, context } = this.#options
    switch (event.type) {
      case 'session.updated':
        return this.#show('listening')
      case 'restored':
        return this.#restore(event.isResponseLost)
      case 'reconnecting':
        this.#speech.end(true)
        return context.status.retrying()
      case 'input_audio_buffer.speech_started':
        followUp.speechStarted(event.item_id)
        filler.stop()
        return this.#show('listening')
      case 'input_audio_buffer.speech_stopped':
        followUp.speechStopped()
        return this.#show('thinking')
      case 'conversation.item.input_audio_transcription.completed':
        followUp.understood(event.item_id)
        return this.#takeUserText(event.transcript, event.language ?? undefined)
      case 'response.created':
        return this.#beginResponse()
      case 'response.output_audio.delta':
        filler.stop()
        this.#speech.play(event)
        return this.#show('speaking')
      case 'response.output_audio_transcript.done':
        this.#responseText = event.transcript
        return this.#sendTranscript('assistant', event.transcript)
      case 'response.output_item.done':
        return isWholeCall(event.item) ? this.#callTool(event.item) : undefined
      case 'paused':
        return this.#speech.pause()
      case 'resumed':
        this.#speech.resume(event)
        return this.#show('speaking')
      case 'interrupted':
        return this.#speech.stop()
      case 'response.done':
        return this.#endResponse(event)
      case 'conversation.item.input_audio_transcription.failed':
        followUp.understood(event.item_id)
        return this.#miss('transcription', event.error)
      case 'error':
        return this.#takeError(event.error)
    }
  }

  /** Sends what a tool of the flow returned. @throws {InputError} if no call waits for it. */
  takeToolResult(callId: string, result: string): void {
    this.#toolCalls.sendResult(callId, result)
  }

  /** Ends the sound that is being sent, and forgets the open tool calls. */
  close(): void {
    clearTimeout(this.#heard)
    this.#options.filler.stop()
    this.#toolCalls.close()
    this.#speech.close()
  }

  #send(output: (typeof outputs)[number], message: ConverseMessage): void {
    this.#options.context.send(outputs.map((one) => (one === output ? message : null)))
  }

  #show(state: string): void {
    const { RED, context } = this.#options
    clearTimeout(this.#heard)
    context.status.working(() => RED._(`converse.status.${state}`))
  }

  #sendTranscript(role: 'user' | 'assistant', text: string, language?: string): void {
    if (text.trim() === '') return
    if (role === 'user') this.#options.memory?.noteUser(text.trim())
    else this.#options.memory?.noteAssistant(text.trim())
    if (role === 'assistant') this.#display.showResponse(text.trim())
    this.#send('transcript', this.#options.messages.text(role, text.trim(), language))
  }

  #takeUserText(text: string, language?: string): void {
    if (text.trim() === '') this.#waitAgain()
    this.#display.showUser(text.trim())
    this.#sendTranscript('user', text, language)
  }

  /** The recogniser, the language model or the voice has failed. The user can say it again. */
  #miss(what: 'transcription' | 'response', error: RealtimeError | null | undefined): void {
    const { RED, report } = this.#options
    const reason = error?.message ?? error?.code ?? ''
    this.#waitAgain()
    this.#show(`no-${what}`)
    if (what === 'transcription') this.#display.showUser('')
    report(this.#errorOf(RED._(`converse.error.${what}`, { reason }), error))
  }

  /** Nothing has been said to which somebody responds. */
  #waitAgain(): void {
    const { conversation, followUp } = this.#options
    if (!this.#isResponding) followUp.renew(conversation.unplayedMs)
  }

  #beginResponse(): void {
    this.#isResponding = true
    this.#responseText = ''
    this.#toolCalls.beginResponse()
    this.#options.followUp.responseBegan()
    this.#options.filler.end()
    this.#show('thinking')
  }

  #restore(isResponseLost: boolean): void {
    const { conversation, followUp } = this.#options
    this.#show('listening')
    const isSpeechLost = followUp.forgetSpeech()
    if (isResponseLost) conversation.respond()
    else if (isSpeechLost) this.#waitAgain()
  }

  #callTool({ call_id, name, arguments: json }: RealtimeItem): void {
    if (!call_id || !name) return
    const call = { name, callId: call_id }
    this.#options.filler.begin()
    if (!this.#toolCalls.begin(call, json ?? '')) {
      this.#send('toolCall', this.#options.messages.toolCall(call, parseArguments(json)))
    }
    this.#show('tool')
  }

  #endResponse({ response }: Extract<RealtimeEvent, { type: 'response.done' }>): void {
    const { RED, conversation, followUp, context } = this.#options
    this.#isResponding = false
    this.#speech.end(response.status === 'cancelled')
    if (response.status === 'failed') {
      this.#miss('response', response.status_details?.error)
      return
    }
    this.#responses += 1
    context.status.conclude(RED._('converse.status.ended', { count: this.#responses }))
    const callsTool = response.output?.some(isWholeCall)
    // The response goes on with the result of the tool.
    if (callsTool) {
      this.#isResponding = true
      return
    }
    followUp.responded(this.#responseText, conversation.unplayedMs)
    // A response is made faster than it is heard.
    this.#heard = setTimeout(() => this.#show('listening'), conversation.unplayedMs)
  }

  #takeError(error: RealtimeError): void {
    const { code, message, param } = error
    if (harmlessErrors.includes(code ?? '') || param === 'audio_end_ms') return
    const { RED } = this.#options
    throw this.#errorOf(RED._('converse.error.service', { reason: message ?? code ?? '' }), error)
  }

  /** An error with the code of what the service reports. */
  #errorOf(message: string, reported: object | null | undefined): Error {
    if (!reported) return new Error(message)
    return new ApiError(message, this.#options.conversation.errorOf(reported))
  }
}

type RealtimeError = Pick<
  Extract<RealtimeEvent, { type: 'error' }>['error'],
  'code' | 'message' | 'param'
>

/** Whether an item is a call that the language model has written to its end. */
function isWholeCall({ type, status }: RealtimeItem): boolean {
  return type === 'function_call' && status !== 'incomplete'
}

/** The arguments that a language model wrote, which may not be JSON. */
function parseArguments(json: string | null | undefined): unknown {
  try {
    return JSON.parse(json || '{}')
  } catch {
    return json
  }
}
