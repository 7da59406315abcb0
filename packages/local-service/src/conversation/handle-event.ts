import type { RealtimeClientEvent, RealtimeSession } from '@parlando/core/wire'
import { toItem } from './new-item.ts'
import { SessionError } from './session-error.ts'
import type { SessionParts } from './session-parts.ts'
import { mergeSettings } from './session-settings.ts'
import type { TurnTaking } from './turn-taking.ts'

type Event<Type extends RealtimeClientEvent['type']> = Extract<RealtimeClientEvent, { type: Type }>

interface OpenSession extends SessionParts {
  turnTaking: TurnTaking
}

/** Handles an event of the client. @throws {ServiceError} if the session rejects it. */
export async function handleEvent(event: RealtimeClientEvent, session: OpenSession): Promise<void> {
  const { emit, conversation, turnTaking, player } = session
  const { input, responder } = turnTaking
  switch (event.type) {
    case 'session.update':
      return updateSettings(event.session, session)
    case 'input_audio_buffer.append':
      return input.append(event.audio)
    case 'input_audio_buffer.commit':
      await input.commit()
      return turnTaking.continueConversation()
    case 'input_audio_buffer.clear':
      await input.clear()
      return turnTaking.continueConversation()
    case 'conversation.item.create':
      return addItem(event, session)
    case 'conversation.item.retrieve': {
      const { item } = conversation.find(event.item_id, 'retrieve')
      return emit({ type: 'conversation.item.retrieved', item })
    }
    case 'conversation.item.truncate':
      return truncate(event, session)
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

async function updateSettings(given: RealtimeSession, session: OpenSession): Promise<void> {
  const { state, emit, turnTaking } = session
  const { settings } = state
  const merged = mergeSettings(settings, given)
  merged.audio.output.voice = session.findVoice(merged.audio.output.voice)
  session.createSpeak(merged.audio.output)
  if (given.audio?.input?.transcription) session.findRecogniser(given.audio.input.transcription)
  if (given.model !== undefined && given.model !== settings.model) {
    state.model = await session.findModel(given.model)
    merged.model = given.model
  }
  state.settings = merged
  const hasInputChanged =
    JSON.stringify(merged.audio.input) !== JSON.stringify(settings.audio.input)
  if (hasInputChanged) turnTaking.restartInput()
  return emit({ type: 'session.updated', session: { ...merged } })
}

function addItem(
  event: Event<'conversation.item.create'>,
  { conversation, emit }: OpenSession,
): Promise<void> {
  const item = toItem(event.item)
  const previous_item_id = conversation.add({ item }, event.previous_item_id)
  void emit({ type: 'conversation.item.added', previous_item_id, item })
  return emit({ type: 'conversation.item.done', previous_item_id, item })
}

function truncate(
  { item_id, content_index, audio_end_ms }: Event<'conversation.item.truncate'>,
  { conversation, emit, turnTaking }: OpenSession,
): Promise<void> {
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
  const { current } = turnTaking.responder
  if (current?.messageId === item_id) {
    current.cancel(current.isPaused ? 'turn_detected' : 'client_cancelled', audio_end_ms)
  }
  item.content = [{ type: 'output_audio', transcript: speech.textUntil(audio_end_ms) }]
  return emit({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms })
}
