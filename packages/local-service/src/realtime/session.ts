import type {
  RealtimeClientEvent,
  RealtimeResponseSettings,
  RealtimeSession,
} from '@parlando/core/wire'
import { createConversation, type Entry } from './conversation.ts'
import { createIdleTimer } from './idle-timer.ts'
import { newId } from './new-id.ts'
import { parseNewItem, toItem } from './new-item.ts'
import { type RunningResponse, startResponse } from './response.ts'
import type { Emit } from './response-output.ts'
import type { SessionContext } from './session-context.ts'
import { SessionError, toErrorEvent } from './session-error.ts'
import { defaultSettings, mergeOutput, mergeSettings } from './session-settings.ts'
import { createUserInput } from './user-input.ts'

/** A conversation with one client. */
export interface Session {
  /**
   * Handles an event of the client. The calls must follow one another.
   * @throws {ServiceError} if the session rejects the event. The session continues.
   */
  take(event: RealtimeClientEvent): Promise<void>
  /** Stops all work. Resolves when it has ended. Must be called after success and after failure. */
  close(): Promise<void>
}

export interface SessionOptions extends SessionContext {
  /** The name of the language model. */
  modelId: string
  emit: Emit
}

/** Starts a session and sends its first event. @throws {ServiceError} if the language model is unknown. */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { emit, clock } = options
  const closing = new AbortController()
  const conversation = createConversation()
  const conversationId = newId('conv')
  let model = await options.findModel(options.modelId)
  let settings = defaultSettings({
    id: newId('sess'),
    model: options.modelId,
    voice: options.findVoice(undefined),
  })
  let response: RunningResponse | undefined
  let lastResponse: RunningResponse | undefined
  let isResponseDue = false

  let silenceStartMs = 0

  const detection = () => settings.audio.input.turn_detection
  const interrupts = () => detection()?.interrupt_response ?? false

  const input = createUserInput({
    ...options,
    conversation,
    signal: closing.signal,
    settings: () => settings.audio.input,
    onSpeechStarted() {
      idle.stop()
      if (interrupts()) response?.pause()
    },
    onWords() {
      if (interrupts()) response?.cancel('turn_detected')
    },
    onTurnEnded(hasWords) {
      if (hasWords && interrupts()) response?.cancel('turn_detected')
      if (hasWords && detection()?.create_response) isResponseDue = true
      // The user continues to speak, so a response would be interrupted at once.
      if (interrupts() && input.isInTurn) return
      response?.resume()
      respondIfDue()
      watchSilence()
    },
  })
  const idle = createIdleTimer({
    clock,
    onPlayed() {
      silenceStartMs = input.durationMs
    },
    onIdle() {
      input.addSilence(silenceStartMs)
      isResponseDue = true
      respondIfDue()
    },
  })
  /** After a response, a user who says nothing may get another one. */
  const watchSilence = () => {
    const current = detection()
    const idleMs = current?.type === 'server_vad' && current.idle_timeout_ms
    if (!idleMs || !lastResponse || response || closing.signal.aborted) return
    if (!input.isInTurn) idle.start(idleMs, lastResponse.unplayedMs)
  }

  const respondIfDue = () => {
    if (!isResponseDue || response || closing.signal.aborted) return
    try {
      respond({})
    } catch (error) {
      // No event of the client caused it. The voice may have been deleted meanwhile.
      options.onFailure(error)
      void emit(toErrorEvent(error))
    }
  }
  const respond = (given: RealtimeResponseSettings) => {
    isResponseDue = false
    idle.stop()
    const output = mergeOutput(settings.audio.output, given.audio?.output)
    output.voice = options.findVoice(output.voice)
    const isSeparate = given.conversation === 'none'
    const instructions = given.instructions ?? settings.instructions
    const entries = given.input?.map(readInputItem)
    response = startResponse({
      ...options,
      model,
      emit,
      clock,
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
        await input.transcribed()
        return conversation.toMessages(instructions, entries)
      },
      onEnd() {
        response = undefined
        respondIfDue()
        watchSilence()
      },
    })
    lastResponse = response
  }
  /** An item of the conversation or, if the client refers to one, that one. */
  const readInputItem = (item: unknown): Entry => {
    const { type, id } = Object(item) as { type?: unknown; id?: unknown }
    if (type === 'item_reference' && typeof id === 'string') {
      return conversation.find(id, 'retrieve')
    }
    return { item: toItem(parseNewItem(item)) }
  }

  const update = async (given: RealtimeSession) => {
    const merged = mergeSettings(settings, given)
    merged.audio.output.voice = options.findVoice(merged.audio.output.voice)
    options.createSpeak(merged.audio.output)
    if (given.audio?.input?.transcription) options.findRecogniser(given.audio.input.transcription)
    if (given.model !== undefined && given.model !== settings.model) {
      model = await options.findModel(given.model)
      merged.model = given.model
    }
    const hasInputChanged =
      JSON.stringify(merged.audio.input) !== JSON.stringify(settings.audio.input)
    settings = merged
    if (hasInputChanged) {
      idle.stop()
      input.restart()
      watchSilence()
    }
    await emit({ type: 'session.updated', session: { ...settings } })
  }
  const addItem = (event: Event<'conversation.item.create'>) => {
    const item = toItem(event.item)
    const previous_item_id = conversation.add({ item }, event.previous_item_id)
    void emit({ type: 'conversation.item.added', previous_item_id, item })
    return emit({ type: 'conversation.item.done', previous_item_id, item })
  }
  const truncate = (event: Event<'conversation.item.truncate'>) => {
    const { item_id, content_index, audio_end_ms } = event
    const { item, speech } = conversation.find(item_id, 'truncate')
    if (!speech || content_index !== 0) {
      const message = `item_id: only the audio of a response can be truncated, at content_index 0`
      throw new SessionError('item_truncate_invalid_item_id', message, 'item_id')
    }
    // A client that has stopped the sound confirms the interruption.
    if (response?.messageId === item_id) {
      response.cancel(response.isPaused ? 'turn_detected' : 'client_cancelled')
    }
    if (audio_end_ms > Math.ceil(speech.durationMs)) {
      const message = `audio_end_ms: the audio of ${Math.round(speech.durationMs)} ms is already shorter than ${audio_end_ms} ms`
      throw new SessionError('invalid_value', message, 'audio_end_ms')
    }
    item.content = [{ type: 'output_audio', transcript: speech.textUntil(audio_end_ms) }]
    return emit({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms })
  }
  const createResponse = (given: RealtimeResponseSettings) => {
    // The client wants a response now, so it does not wait for the end of an interruption.
    if (response?.isPaused) response.cancel('turn_detected')
    if (response) {
      const message = `The conversation already has an active response, ${response.id}; wait for its response.done, or cancel it`
      throw new SessionError('conversation_already_has_active_response', message)
    }
    respond(given)
  }
  const cancelResponse = (id: string | undefined) => {
    if (response && (id === undefined || id === response.id)) {
      return response.cancel('client_cancelled')
    }
    const message = 'Cancellation failed: no active response found'
    throw new SessionError('response_cancel_not_active', message)
  }

  const take = async (event: RealtimeClientEvent): Promise<void> => {
    switch (event.type) {
      case 'session.update':
        return update(event.session)
      case 'input_audio_buffer.append':
        return input.append(event.audio)
      case 'input_audio_buffer.commit':
        return input.commit()
      case 'input_audio_buffer.clear':
        return input.clear()
      case 'conversation.item.create':
        return addItem(event)
      case 'conversation.item.retrieve': {
        const { item } = conversation.find(event.item_id, 'retrieve')
        return emit({ type: 'conversation.item.retrieved', item })
      }
      case 'conversation.item.truncate':
        return truncate(event)
      case 'conversation.item.delete':
        conversation.delete(event.item_id)
        return emit({ type: 'conversation.item.deleted', item_id: event.item_id })
      case 'response.create':
        return createResponse(event.response ?? {})
      case 'response.cancel':
        return cancelResponse(event.response_id)
      case 'output_audio_buffer.clear':
        return response?.cancel('client_cancelled')
    }
  }

  await emit({ type: 'session.created', session: { ...settings } })
  return {
    take,
    async close() {
      closing.abort()
      idle.stop()
      isResponseDue = false
      response?.cancel('client_cancelled')
      await Promise.all([lastResponse?.ended, input.close()])
    },
  }
}

type Event<Type extends RealtimeClientEvent['type']> = Extract<RealtimeClientEvent, { type: Type }>
