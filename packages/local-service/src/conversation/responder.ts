import type { RealtimeResponseSettings } from '@parlando/core/wire'
import { type Conversation, type Entry, parseNewItem, toItem } from './conversation.ts'
import { type ResponseOptions, type RunningResponse, startResponse } from './response.ts'
import { newId, SessionError, toErrorEvent } from './server-events.ts'
import type { SessionParts } from './session-parts.ts'
import { mergeOutput } from './session-settings.ts'

/** The responses of a session, one at a time. */
export interface Responder {
  /** The response in progress. */
  readonly current: RunningResponse | undefined
  /** The response in progress or, if there is none, the one before. */
  readonly latest: RunningResponse | undefined
  /** Responds as soon as no response is in progress. */
  request(): void
  /** Starts a requested response if there is none in progress. */
  respondIfDue(): void
  /** Responds because the client wants it. @throws {ServiceError} if a response is in progress, or for its settings. */
  create(given: RealtimeResponseSettings): void
  /** Cancels a response because the client wants it. @param id Default: any. @throws {SessionError} if there is none. */
  cancel(id: string | undefined): void
  /** Cancels the response in progress. Resolves when its work has ended. */
  close(): Promise<void>
}

export interface ResponderOptions extends SessionParts {
  /** Resolves when the words of the user are known. */
  transcribed(): Promise<void>
  /** Called before each response. */
  onStart(): void
  /** Called after each response, unless another one follows at once. */
  onEnd(): void
}

export function createResponder(options: ResponderOptions): Responder {
  const { emit } = options
  const conversationId = newId('conv')
  let current: RunningResponse | undefined
  let latest: RunningResponse | undefined
  let isDue = false
  let isClosed = false

  const respond = (given: RealtimeResponseSettings) => {
    isDue = false
    options.onStart()
    current = startResponse({
      ...responseOptions(given, conversationId, options),
      onEnd() {
        current = undefined
        respondIfDue()
        if (!current) options.onEnd()
      },
    })
    latest = current
  }
  const respondIfDue = () => {
    if (!isDue || current || isClosed) return
    try {
      respond({})
    } catch (error) {
      // No event of the client caused it. The voice may have been deleted meanwhile.
      options.onFailure(error)
      void emit(toErrorEvent(error))
    }
  }

  return {
    get current() {
      return current
    },
    get latest() {
      return latest
    },
    request() {
      isDue = true
    },
    respondIfDue,
    create(given) {
      // The client wants a response now, so it does not wait for the end of an interruption.
      if (current?.isPaused) current.cancel('turn_detected')
      if (current) {
        const message = `The conversation already has an active response, ${current.id}; wait for its response.done, or cancel it`
        throw new SessionError('conversation_already_has_active_response', message)
      }
      respond(given)
    },
    cancel(id) {
      if (current && (id === undefined || id === current.id)) {
        return current.cancel('client_cancelled')
      }
      const message = 'Cancellation failed: no active response found'
      throw new SessionError('response_cancel_not_active', message)
    },
    async close() {
      isClosed = true
      current?.cancel('client_cancelled')
      await latest?.ended
    },
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
  output.voice = options.findVoice(output.voice)
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
function readInputItem(item: unknown, conversation: Conversation): Entry {
  const { type, id } = Object(item) as { type?: unknown; id?: unknown }
  if (type === 'item_reference' && typeof id === 'string') {
    return conversation.find(id, 'retrieve')
  }
  return { item: toItem(parseNewItem(item)) }
}
