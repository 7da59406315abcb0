import { Pronunciations } from '@parlando/core/text'
import type { RealtimeClientEvent } from '@parlando/core/wire'
import { echoLanguageModel } from '../chat/echo/echo-language-model.ts'
import { autoModel } from '../chat/find-chat-model.ts'
import { createConversationItems, itemIdInUse } from './conversation-items.ts'
import { toItem } from './new-item.ts'
import { type Emit, newId, SessionError } from './server-events.ts'
import type { SessionPlayer } from './session-connection.ts'
import type { SessionParts, SessionState } from './session-parts.ts'
import type { SessionServices } from './session-services.ts'
import {
  defaultSettings,
  describeSettings,
  mergeSettings,
  type SessionType,
  voiceName,
} from './session-settings.ts'
import { createTurnTaking, type TurnTaking } from './turn-taking.ts'

/** A conversation with one client. */
export interface Session {
  /**
   * Handles an event of the client. The calls must follow one another.
   * @throws {ServiceError} if the session rejects the event. The session continues.
   */
  take(event: RealtimeClientEvent): Promise<void>
  /** Whether a turn is being transcribed, or the model responds, or the client still plays the response. */
  isBusy(): boolean
  /** Stops all work. Resolves when it has ended. Must be called after success and after failure. */
  close(): Promise<void>
}

export interface SessionOptions extends SessionServices {
  /** Default: `realtime`. */
  type?: SessionType
  /** The name of the language model or, in a session that only transcribes, of the recogniser. */
  modelId: string
  emit: Emit
  /** Default: the client plays the responses, and stops when the user speaks. */
  player?: SessionPlayer
}

/** Starts a session and sends its first event. @throws {ServiceError} if the model is unknown. */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { type, modelId, emit, player, ...services } = options
  const closing = new AbortController()
  const { signal } = closing
  const state = await createState(services, modelId, type)
  const conversation = createConversationItems()
  const parts: SessionParts = { ...services, emit, player, conversation, state, signal }
  const turnTaking = createTurnTaking(parts)

  await emit({ type: 'session.created', session: describeSettings(state.settings) })
  return {
    async take(event) {
      const handle = handlers[event.type] as Handler<EventName>
      await handle(event, { ...parts, turnTaking })
    },
    isBusy() {
      const { input, responder } = turnTaking
      const isPlaying = (responder.latest?.unplayedMs ?? 0) > 0
      return input.isTranscribing || responder.current !== undefined || isPlaying
    },
    close() {
      closing.abort()
      return turnTaking.close()
    },
  }
}

async function createState(
  { findLanguageModel, findVoice, rejectUnknownRecogniser }: SessionServices,
  model: string,
  type: SessionType = 'realtime',
): Promise<SessionState> {
  const settings = defaultSettings({ type, id: newId('sess'), model, voice: findVoice(undefined) })
  const pronunciations = new Pronunciations([])
  if (type === 'realtime')
    return { model: await findLanguageModel(model), settings, pronunciations }
  const isNamed = model !== autoModel
  if (isNamed) rejectUnknownRecogniser(model)
  settings.audio.input.transcription = isNamed ? { model } : {}
  // Nothing responds, so the session needs no server of language models.
  return { model: echoLanguageModel, settings, pronunciations }
}

type EventName = RealtimeClientEvent['type']

type Handler<Name extends EventName> = (
  event: Extract<RealtimeClientEvent, { type: Name }>,
  session: SessionParts & { turnTaking: TurnTaking },
) => Promise<void> | void

/** What the session does with each event of the client, by its name on the wire. */
const handlers: { readonly [Name in EventName]: Handler<Name> } = {
  async 'session.update'({ session: given }, session) {
    const { state, emit, turnTaking } = session
    const { settings } = state
    const merged = mergeSettings(settings, given)
    const chosenVoice = voiceName(given.audio?.output) ?? state.chosenVoice
    const { language } = merged.audio.input.transcription ?? {}
    const voice = session.findVoice(chosenVoice, language)
    merged.audio.output = { ...merged.audio.output, voice }
    // Rejects a voice that cannot speak, before anything changes.
    session.createSpeak(merged.audio.output)
    session.rejectUnknownRecogniser(given.audio?.input?.transcription?.model)
    if (given.model !== undefined && given.model !== settings.model) {
      state.model = await session.findLanguageModel(given.model)
      merged.model = given.model
    }
    state.settings = merged
    state.chosenVoice = chosenVoice
    const { pronunciations } = given.providerData ?? {}
    if (pronunciations) state.pronunciations = new Pronunciations(pronunciations)
    const hasInputChanged =
      JSON.stringify(merged.audio.input) !== JSON.stringify(settings.audio.input)
    if (hasInputChanged) turnTaking.restartInput()
    return emit({ type: 'session.updated', session: describeSettings(merged) })
  },

  'input_audio_buffer.append': ({ audio }, { turnTaking }) => turnTaking.input.append(audio),

  'input_audio_buffer.commit': (_event, { turnTaking }) => turnTaking.commitInput(),

  'input_audio_buffer.clear': (_event, { turnTaking }) => turnTaking.clearInput(),

  'conversation.item.create'(event, { conversation, emit, turnTaking }) {
    const item = toItem(event.item)
    // The client knows the id of a turn before the turn becomes an item.
    if (item.id === turnTaking.input.turnId) throw itemIdInUse(item.id)
    const previous_item_id = conversation.add({ item }, event.previous_item_id)
    void emit({ type: 'conversation.item.added', previous_item_id, item })
    return emit({ type: 'conversation.item.done', previous_item_id, item })
  },

  'conversation.item.retrieve'({ item_id }, { conversation, emit }) {
    const { item } = conversation.find(item_id, 'retrieve')
    return emit({ type: 'conversation.item.retrieved', item })
  },

  'conversation.item.truncate'(event, { conversation, emit, turnTaking }) {
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
    const { current } = turnTaking.responder
    if (current?.messageId === item_id) {
      current.cancel(current.isPaused ? 'turn_detected' : 'client_cancelled', audio_end_ms)
    }
    item.content = [{ type: 'output_audio', transcript: speech.textUntil(audio_end_ms) }]
    return emit({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms })
  },

  'conversation.item.delete'({ item_id }, { conversation, emit }) {
    conversation.delete(item_id)
    return emit({ type: 'conversation.item.deleted', item_id })
  },

  'response.create'({ response = {} }, { turnTaking, state }) {
    if (state.settings.type === 'transcription') {
      const message = 'This session only transcribes; /v1/realtime opens one that responds'
      throw new SessionError('invalid_request', message)
    }
    turnTaking.responder.create(response)
  },

  'response.cancel': ({ response_id }, { turnTaking }) => turnTaking.responder.cancel(response_id),

  'output_audio_buffer.clear'(_event, { turnTaking, player }) {
    turnTaking.responder.current?.cancel('client_cancelled')
    player?.clear()
  },
}
