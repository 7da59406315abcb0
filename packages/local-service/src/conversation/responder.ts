import type { RealtimeResponseSettings } from '@parlando/core/wire'
import { type ConversationItems, type Entry, parseNewItem, toItem } from './conversation-items.ts'
import { type ResponseOptions, RunningResponse } from './running-response.ts'
import { newId, SessionError, toErrorEvent } from './server-events.ts'
import type { SessionParts } from './session-context.ts'
import { mergeOutput } from './session-settings.ts'

export interface ResponderOptions extends SessionParts {
  /** Resolves when the words of the user are known. */
  transcribed(): Promise<void>
  /** Called before each response. */
  onStart(): void
  /** Called after each response, unless another one follows at once. */
  onEnd(): void
}

/** The responses of a session, one at a time. */
export class Responder {
  /** The response in progress. */
  current: RunningResponse | undefined
  /** The response in progress or, if there is none, the one before. */
  latest: RunningResponse | undefined
  readonly #options: ResponderOptions
  readonly #conversationId = newId('conv')
  #isDue = false
  #isClosed = false

  constructor(options: ResponderOptions) {
    this.#options = options
  }

  /** Responds as soon as no response is in progress. */
  request(): void {
    this.#isDue = true
  }

  /** Starts a requested response if there is none in progress. */
  respondIfDue(): void {
    if (!this.#isDue || this.current || this.#isClosed) return
    try {
      this.#respond({})
    } catch (error) {
      // No event of the client caused it. The voice may have been deleted meanwhile.
      this.#options.onFailure(error)
      void this.#options.emit(toErrorEvent(error))
    }
  }

  /** Responds because the client wants it. @throws {ServiceError} if a response is in progress, or for its settings. */
  create(given: RealtimeResponseSettings): void {
    // The client wants a response now, so it does not wait for the end of an interruption.
    if (this.current?.isPaused) this.current.cancel('turn_detected')
    if (this.current) {
      const message = `The conversation already has an active response, ${this.current.id}; wait for its response.done, or cancel it`
      throw new SessionError('conversation_already_has_active_response', message)
    }
    this.#respond(given)
  }

  /** Cancels a response because the client wants it. @param id Default: any. @throws {SessionError} if there is none. */
  cancel(id: string | undefined): void {
    if (!this.current || (id !== undefined && id !== this.current.id)) {
      const message = 'Cancellation failed: no active response found'
      throw new SessionError('response_cancel_not_active', message)
    }
    this.current.cancel('client_cancelled')
  }

  /** Cancels the response in progress. Resolves when its work has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.current?.cancel('client_cancelled')
    await this.latest?.ended
  }

  #respond(given: RealtimeResponseSettings): void {
    const options = this.#options
    this.#isDue = false
    options.onStart()
    this.current = new RunningResponse({
      ...responseOptions(given, this.#conversationId, options),
      onEnd: () => {
        this.current = undefined
        this.respondIfDue()
        if (!this.current) options.onEnd()
      },
    })
    this.latest = this.current
  }
}

/** The settings of one response: those that the client gives for it, or else those of the session. */
function responseOptions(
  given: RealtimeResponseSettings,
  conversationId: string,
  options: ResponderOptions,
): Omit<ResponseOptions, 'onEnd'> {
  const { conversation } = options
  const { settings, model } = options.state
  const output = mergeOutput(settings.audio.output, given.audio?.output)
  output.voice = options.findVoice(output.voice, settings.audio.input.transcription?.language)
  const isSeparate = given.conversation === 'none'
  const instructions = given.instructions ?? settings.instructions
  const entries = given.input?.map((item) => readInputItem(item, conversation))
  return {
    ...options,
    model,
    hasAudio: (given.output_modalities ?? settings.output_modalities).includes('audio'),
    speak: options.createSpeak(output),
    outputSettings: output,
    tools: given.tools ?? settings.tools,
    toolChoice: given.tool_choice ?? settings.tool_choice,
    maxTokens: given.max_output_tokens ?? settings.max_output_tokens,
    temperature: settings.temperature,
    metadata: given.metadata ?? null,
    conversation: isSeparate ? undefined : conversation,
    conversationId: isSeparate ? null : conversationId,
    async readMessages() {
      await options.transcribed()
      return conversation.toMessages(instructions, entries)
    },
  }
}

/** An item of the conversation or, if the client refers to one, that one. */
function readInputItem(item: unknown, conversation: ConversationItems): Entry {
  const { type, id } = Object(item) as { type?: unknown; id?: unknown }
  if (type === 'item_reference' && typeof id === 'string') {
    return conversation.find(id, 'retrieve')
  }
  return { item: toItem(parseNewItem(item)) }
}
