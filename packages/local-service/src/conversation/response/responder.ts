import type { RealtimeResponseSettings } from '@parlando/core/wire'
import type { ModelRequest } from '../../chat/language-model.ts'
import type { Entry } from '../conversation-items.ts'
import { readInputItem, toItem } from '../new-item.ts'
import { newId, SessionError, toErrorEvent } from '../server-events.ts'
import type { SessionParts } from '../session-parts.ts'
import { mergeOutput, type SessionSettings } from '../session-settings.ts'
import type { TurnTranscript } from '../user/user-turn.ts'
import { createEarlyResponse } from './early-response.ts'
import { toMessages } from './model-messages.ts'
import { followUser } from './response-language.ts'
import { createResponseVoice } from './response-voice.ts'
import { type ResponseOptions, RunningResponse } from './running-response.ts'

/** How the responses fit into the conversation. */
export interface ResponderHooks {
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
  readonly #session: SessionParts
  readonly #hooks: ResponderHooks
  readonly #conversationId = newId('conv')
  readonly #earlyResponse = createEarlyResponse()
  /** The work of the responses, also of cancelled ones, which may still free an encoder. */
  readonly #working = new Set<Promise<void>>()
  /** The pause in which it may begin. */
  #pause = 0
  #isDue = false
  #isClosed = false

  constructor(session: SessionParts, hooks: ResponderHooks) {
    this.#session = session
    this.#hooks = hooks
  }

  /** Responds as soon as no response is in progress. */
  request(): void {
    this.#isDue = true
  }

  /** Starts a requested response if there is none in progress. */
  respondIfDue(): void {
    if (!this.#isDue || this.current || this.#isClosed) return
    this.#isDue = false
    try {
      this.#respond({})
    } catch (error) {
      // No event of the client caused it. The voice may have been deleted meanwhile.
      this.#session.onFailure(error)
      void this.#session.emit(toErrorEvent(error))
    }
  }

  /**
   * Lets the model begin a response, of which nobody hears anything unless it is requested with these words.
   * @param words what the user has said up to a pause.
   */
  beginEarlyResponse(words: Promise<TurnTranscript>): void {
    const pause = ++this.#pause
    const begin = ({ text, language }: TurnTranscript) => {
      if (text === '' || pause !== this.#pause || this.current || this.#isClosed) return
      const { conversation, state } = this.#session
      const { settings, model } = state
      const turn: Entry = {
        item: toItem({ type: 'message', role: 'user', content: [] }),
        transcript: text,
        ...(language && { language }),
      }
      const entries = [...conversation.entries, turn]
      const given = {
        instructions: settings.instructions,
        voice: settings.audio.output.voice,
        hasAudio: settings.output_modalities.includes('audio'),
      }
      const { instructions } = followUser(given, entries, this.#session)
      const messages = toMessages(instructions, entries)
      this.#earlyResponse.begin(model, { ...modelSettings({}, settings), messages })
    }
    // If the recogniser fails, it fails again for the turn.
    words.then(begin, () => {})
  }

  /** The turn goes on after the pause, or becomes no part of the conversation. */
  dropEarlyResponse(): void {
    this.#pause++
    this.#earlyResponse.drop()
  }

  /** Responds because the client wants it. @throws {ServiceError} if a response is in progress, or for its settings. */
  create(given: RealtimeResponseSettings): void {
    if (this.current && !this.current.isPaused) {
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

  /** Cancels the response in progress. Resolves when the work of all responses has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.dropEarlyResponse()
    this.current?.cancel('client_cancelled')
    await Promise.all(this.#working)
  }

  #respond(given: RealtimeResponseSettings): void {
    // A rejected request changes nothing.
    const options = this.#optionsFor(given)
    this.#isDue = false
    // The client wants a response now, so it does not wait for the end of an interruption.
    this.current?.cancel('turn_detected')
    this.#hooks.onStart()
    const response = new RunningResponse({
      ...options,
      onEnd: () => {
        this.current = undefined
        this.respondIfDue()
        if (!this.current) this.#hooks.onEnd()
      },
    })
    this.current = response
    this.latest = response
    this.#working.add(response.ended)
    void response.ended.then(() => this.#working.delete(response.ended))
  }

  /** The settings of one response: those that the client gives for it, or else those of the session. */
  #optionsFor(given: RealtimeResponseSettings): Omit<ResponseOptions, 'onEnd'> {
    const session = this.#session
    const { conversation } = session
    const { settings, model } = session.state
    const voice = createResponseVoice(
      mergeOutput(settings.audio.output, given.audio?.output),
      session,
    )
    const hasAudio = (given.output_modalities ?? settings.output_modalities).includes('audio')
    const isSeparate = given.conversation === 'none'
    const instructions = given.instructions ?? settings.instructions
    const input = given.input?.map((item) => readInputItem(item, conversation))
    return {
      ...session,
      ...modelSettings(given, settings),
      model: { respond: (request) => this.#earlyResponse.respond(model, request) },
      hasAudio,
      voice,
      metadata: given.metadata ?? null,
      conversation: isSeparate ? undefined : conversation,
      conversationId: isSeparate ? null : this.#conversationId,
      readMessages: async () => {
        await this.#hooks.transcribed()
        const entries = input ?? conversation.entries
        const own = { instructions, voice: voice.settings.voice, hasAudio }
        const following = followUser(own, entries, session)
        voice.change(following.voice)
        return toMessages(following.instructions, entries)
      },
    }
  }
}

/** What the model reads besides the messages. */
function modelSettings(
  given: RealtimeResponseSettings,
  settings: SessionSettings,
): Pick<ModelRequest, 'tools' | 'toolChoice' | 'maxTokens' | 'temperature'> {
  return {
    tools: given.tools ?? settings.tools,
    toolChoice: given.tool_choice ?? settings.tool_choice,
    maxTokens: given.max_output_tokens ?? settings.max_output_tokens,
    temperature: settings.temperature,
  }
}
