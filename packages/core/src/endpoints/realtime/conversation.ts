import { InputError } from '../../errors.ts'
import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeNewItem } from '../../wire/realtime-item.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeResponseSettings, RealtimeSession } from '../../wire/realtime-session.ts'
import { createHistory } from './history.ts'
import { createInterruption } from './interruption.ts'
import { createPlayback } from './playback.ts'
import type { AudioDelta, RealtimeAudio, RealtimeEvent } from './realtime-event.ts'
import { createReplay } from './replay.ts'
import { createResponseRequests } from './response-requests.ts'

export interface ConversationOptions {
  /** Named by errors. */
  what: string
  session: RealtimeSession
  /** Sends an event to the service. */
  send(event: RealtimeClientEvent): void
  /** Passes an event to the reader. */
  emit(event: RealtimeEvent): void
}

/** What else an event says that creates an item. */
type ItemEvent = Pick<
  Extract<RealtimeClientEvent, { type: 'conversation.item.create' }>,
  'event_id' | 'previous_item_id'
>

/** The state of a conversation, independent of its connection. */
export interface Conversation {
  /** How long the player still needs for the speech that it has received. */
  readonly unplayedMs: number
  /** Whether a response is in progress or requested. */
  readonly isResponding: boolean
  /** Takes an event of the service. */
  receive(event: RealtimeServerEvent): void
  updateSession(session: RealtimeSession): void
  /** Sends an item, again if the connection is lost before the service has it. */
  addItem(item: RealtimeNewItem, event?: ItemEvent): void
  /** Requests a response as soon as none is in progress. */
  respond(response?: RealtimeResponseSettings): void
  /** @throws {InputError} if the model has not called this tool, or already has a result. */
  sendToolResult(callId: string, result: string): void
  interrupt(): void
  reportPlayed(itemId: string, playedMs: number): void
  /** The connection was lost. The response in progress and the requests are forgotten. */
  leaveSession(): void
  /** The events that begin a session: the settings and, after a lost connection, the items. */
  beginSession(isRestored: boolean): RealtimeClientEvent[]
  /** Ends the wait for the transcript of a possible interruption. */
  close(): void
}

const maxOpenCalls = 100
const bytesPerMs = { 'audio/pcm': 48, 'audio/pcmu': 8, 'audio/pcma': 8 } as const

export function createConversation(options: ConversationOptions): Conversation {
  const { what, session, send, emit } = options
  const playback = createPlayback()
  const outputFormat = () => settings.audio?.output?.format?.type ?? 'audio/pcm'
  const replay = createReplay(() => (outputFormat() === 'audio/pcm' ? 2 : 1))
  const history = createHistory()
  const responses = createResponseRequests(send)
  /** The tool calls without a result. */
  const openCalls = new Set<string>()
  let settings = session
  /** The response whose remaining speech nobody wants. */
  let cutResponseId: string | undefined

  const hasSpeech = () =>
    playback.remainingMs > 0 ||
    (responses.activeId !== undefined && responses.activeId !== cutResponseId)

  /** Stops the player, and reports to the service what the user has heard. */
  const cut = () => {
    interruption.reset()
    // A pause must end, or the player would not receive the next response.
    if (!hasSpeech() && !playback.isPaused) return
    cutResponseId = responses.activeId
    const unheard = playback.stop()
    replay.clear()
    for (const { itemId, contentIndex, heardMs, receivedMs } of unheard) {
      const item = { item_id: itemId, content_index: contentIndex }
      send({ type: 'conversation.item.truncate', ...item, audio_end_ms: heardMs })
      history.shorten(itemId, heardMs / receivedMs)
    }
    emit({ type: 'interrupted', unheard })
  }

  const resume = () => {
    if (!playback.isPaused) return
    const speech = replay.last(playback.remainingMs)
    const playedMs = playback.unheard()[0]?.heardMs ?? 0
    playback.resume()
    emit({ type: 'resumed', speech, playedMs, isComplete: responses.activeId === undefined })
  }
  const interruption = createInterruption({
    onSuspected() {
      if (!mayInterrupt(settings) || !hasSpeech()) return false
      if (playback.isPaused) return true
      const { remainingMs } = playback
      if (remainingMs >= 1 && replay.last(remainingMs).length === 0) {
        cut()
        return false
      }
      playback.pause()
      emit({ type: 'paused' })
      return true
    },
    onRejected: resume,
    onConfirmed: cut,
    isTranscribed: () => Boolean(settings.audio?.input?.transcription),
  })

  const addItem = (item: RealtimeNewItem, event: ItemEvent = {}) =>
    send({ ...toCreate(history.add(item)), ...event })
  const noteToolCall = (event: RealtimeServerEvent) => {
    if (event.type !== 'response.output_item.done') return
    if (event.item.type === 'function_call' && event.item.call_id) {
      addBounded(openCalls, event.item.call_id)
    }
  }

  const receiveAudio = ({ delta, ...facts }: AudioDelta) => {
    if (facts.response_id === cutResponseId) return
    const bytes = Buffer.from(delta, 'base64')
    const durationMs = bytes.length / bytesPerMs[outputFormat()]
    const audio = { ...facts, audio: bytes } as RealtimeAudio
    playback.add({ itemId: facts.item_id, contentIndex: facts.content_index, durationMs })
    if (mayInterrupt(settings)) replay.add(audio, durationMs, playback.remainingMs)
    if (!playback.isPaused) emit(audio)
  }

  return {
    get unplayedMs() {
      return playback.remainingMs
    },
    get isResponding() {
      return responses.isOpen
    },
    receive(event) {
      history.note(event)
      // The user has spoken before the service reports what it made of that.
      interruption.note(event)
      if (event.type === 'response.output_audio.delta') return receiveAudio(event)
      emit(event)
      noteToolCall(event)
      responses.note(event)
    },
    updateSession(update) {
      settings = mergeSettings(settings, update)
      send({ type: 'session.update', session: { type: 'realtime', ...update } })
    },
    addItem,
    respond: responses.request,
    sendToolResult(callId, output) {
      if (!openCalls.delete(callId)) {
        throw new InputError(`${what} failed: no tool call ${callId} waits for a result`)
      }
      addItem({ type: 'function_call_output', call_id: callId, output })
      if (openCalls.size === 0) responses.request()
    },
    interrupt() {
      if (responses.activeId !== undefined) send({ type: 'response.cancel' })
      cut()
    },
    reportPlayed: playback.report,
    close: interruption.reset,
    leaveSession: responses.reset,
    beginSession(isRestored) {
      interruption.reset()
      resume()
      // The new session has them as text, of which no end can be cut off.
      playback.forgetItems()
      return [
        { type: 'session.update', session: { type: 'realtime', ...settings } },
        ...(isRestored ? history.restore().map(toCreate) : []),
      ]
    },
  }
}

/** An error of the service names the event, and so the item. */
function toCreate(item: RealtimeNewItem): RealtimeClientEvent {
  return { type: 'conversation.item.create', event_id: item.id, item }
}

function mayInterrupt({ audio }: RealtimeSession): boolean {
  return audio?.input?.turn_detection?.interrupt_response !== false
}

function addBounded(calls: Set<string>, callId: string): void {
  calls.add(callId)
  const [oldest] = calls
  if (calls.size > maxOpenCalls) calls.delete(oldest!)
}

function mergeSettings(settings: RealtimeSession, update: RealtimeSession): RealtimeSession {
  const audio = {
    input: { ...settings.audio?.input, ...update.audio?.input },
    output: { ...settings.audio?.output, ...update.audio?.output },
  }
  return { ...settings, ...update, audio }
}
