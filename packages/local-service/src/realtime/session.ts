import type { RealtimeClientEvent, RealtimeSession } from '@parlando/core/wire'
import { createConversation } from './conversation.ts'
import { createIdleTimer } from './idle-timer.ts'
import { isInterruption } from './interruption.ts'
import { newId } from './new-id.ts'
import { toItem } from './new-item.ts'
import type { Player } from './player.ts'
import { createResponder } from './responder.ts'
import type { Emit } from './response-output.ts'
import type { SessionContext } from './session-context.ts'
import { SessionError } from './session-error.ts'
import { defaultSettings, mergeSettings } from './session-settings.ts'
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
  /** Default: the client plays the responses, and stops when the user speaks. */
  player?: Player
}

/** Starts a session and sends its first event. @throws {ServiceError} if the language model is unknown. */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { emit, player } = options
  const closing = new AbortController()
  const conversation = createConversation()
  let model = await options.findModel(options.modelId)
  let settings = defaultSettings({
    id: newId('sess'),
    model: options.modelId,
    voice: options.findVoice(undefined),
  })
  let silenceStartMs = 0

  const detection = () => settings.audio.input.turn_detection
  const interrupts = () => detection()?.interrupt_response ?? false
  const interrupt = () => {
    responder.current?.cancel('turn_detected')
    player?.clear()
  }

  const input = createUserInput({
    ...options,
    conversation,
    signal: closing.signal,
    settings: () => settings.audio.input,
    onSpeechStarted() {
      idle.stop()
      if (!interrupts()) return
      responder.current?.pause()
      player?.pause()
    },
    onWords() {
      if (interrupts()) interrupt()
    },
    onTurnEnded(turn, transcript) {
      const mayBeNoise = interrupts() && responder.current && !isInterruption(turn, transcript)
      const isMeant = transcript.text !== '' && !mayBeNoise
      if (isMeant && interrupts()) interrupt()
      if (isMeant && detection()?.create_response) responder.request()
      // The user continues to speak, so a response would be interrupted at once.
      if (interrupts() && input.isInTurn) return
      continueConversation()
    },
  })
  const idle = createIdleTimer({
    clock: options.clock,
    onPlayed() {
      silenceStartMs = input.durationMs
    },
    onIdle() {
      input.addSilence(silenceStartMs)
      responder.request()
      responder.respondIfDue()
    },
  })
  /** After a response, a user who says nothing may get another one. */
  const watchSilence = () => {
    const { current, latest } = responder
    const rule = detection()
    const idleMs = rule?.type === 'server_vad' && rule.idle_timeout_ms
    if (!idleMs || current || !latest || input.isInTurn || closing.signal.aborted) return
    idle.start(idleMs, latest.unplayedMs)
  }
  const responder = createResponder({
    ...options,
    conversation,
    settings: () => settings,
    model: () => model,
    transcribed: input.transcribed,
    onStart() {
      idle.stop()
      player?.resume()
    },
    onEnd: watchSilence,
  })

  /** The user no longer speaks. */
  const continueConversation = () => {
    responder.current?.resume()
    player?.resume()
    responder.respondIfDue()
    watchSilence()
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
      continueConversation()
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
    if (audio_end_ms > Math.ceil(speech.durationMs)) {
      const message = `audio_end_ms: the audio of ${Math.round(speech.durationMs)} ms is already shorter than ${audio_end_ms} ms`
      throw new SessionError('invalid_value', message, 'audio_end_ms')
    }
    // A client that has stopped the sound confirms the interruption.
    const { current } = responder
    if (current?.messageId === item_id) {
      current.cancel(current.isPaused ? 'turn_detected' : 'client_cancelled')
    }
    item.content = [{ type: 'output_audio', transcript: speech.textUntil(audio_end_ms) }]
    return emit({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms })
  }

  const take = async (event: RealtimeClientEvent): Promise<void> => {
    switch (event.type) {
      case 'session.update':
        return update(event.session)
      case 'input_audio_buffer.append':
        return input.append(event.audio)
      case 'input_audio_buffer.commit':
        await input.commit()
        return continueConversation()
      case 'input_audio_buffer.clear':
        await input.clear()
        return continueConversation()
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
        return responder.create(event.response ?? {})
      case 'response.cancel':
        return responder.cancel(event.response_id)
      case 'output_audio_buffer.clear':
        responder.current?.cancel('client_cancelled')
        return player?.clear()
    }
  }

  await emit({ type: 'session.created', session: { ...settings } })
  return {
    take,
    async close() {
      closing.abort()
      idle.stop()
      await Promise.all([responder.close(), input.close()])
    },
  }
}

type Event<Type extends RealtimeClientEvent['type']> = Extract<RealtimeClientEvent, { type: Type }>
