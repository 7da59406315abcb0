import { InputError } from '../../errors.ts'
import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeNewItem } from '../../wire/realtime-item.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type {
  RealtimeFormat,
  RealtimeResponseSettings,
  RealtimeSession,
} from '../../wire/realtime-session.ts'
import { History } from './history.ts'
import { InterruptionCheck } from './interruption-check.ts'
import type { AudioDelta, RealtimeAudio, RealtimeEvent } from './realtime-event.ts'
import { Replay } from './replay.ts'
import { ResponsePlayback } from './response-playback.ts'
import { ResponseRequests } from './response-requests.ts'

export interface ConversationStateOptions {
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

const maxOpenCalls = 100
const usualPcmRateHertz = 24_000

/** The state of a conversation, independent of its connection. */
export class ConversationState {
  readonly #options: ConversationStateOptions
  readonly #playback = new ResponsePlayback()
  readonly #replay = new Replay(() => (this.#outputFormat === 'audio/pcm' ? 2 : 1))
  readonly #history = new History()
  readonly #responses: ResponseRequests
  readonly #interruption: InterruptionCheck
  /** The tool calls without a result. */
  readonly #openCalls = new Set<string>()
  #settings: RealtimeSession
  /** The response whose remaining speech nobody wants. */
  #cutResponseId: string | undefined

  constructor(options: ConversationStateOptions) {
    this.#options = options
    this.#settings = options.session
    this.#responses = new ResponseRequests(options.send)
    this.#interruption = new InterruptionCheck({
      onSuspected: () => this.#pause(),
      onRejected: () => this.#resume(),
      onConfirmed: () => this.#cut(),
      isRequested: () => this.#responses.isRequested,
      isTranscribed: () => Boolean(this.#settings.audio?.input?.transcription),
    })
  }

  /** The encoding of the audio that the client sends. */
  get inputFormat(): RealtimeFormat {
    return this.#settings.audio?.input?.format?.type ?? 'audio/pcm'
  }

  /** How long the player still needs for the speech that it has received. */
  get unplayedMs(): number {
    return this.#playback.remainingMs
  }

  /** Whether a response is in progress or requested. */
  get isResponding(): boolean {
    return this.#responses.isOpen
  }

  /** Takes an event of the service. */
  receive(event: RealtimeServerEvent) {
    this.#history.note(event)
    // The user has spoken before the service reports what it made of that.
    this.#interruption.note(event)
    if (event.type === 'response.output_audio.delta') return this.#receiveAudio(event)
    this.#options.emit(event)
    this.#noteToolCall(event)
    this.#responses.note(event)
  }

  /** Sends any event. */
  send(event: RealtimeClientEvent) {
    switch (event.type) {
      case 'conversation.item.create': {
        const { item, ...facts } = event
        return this.addItem(item, facts)
      }
      case 'session.update': {
        const { session, ...facts } = event
        return this.updateSession(session, facts)
      }
      case 'response.create':
        return this.#responses.send(event)
    }
    this.#options.send(event)
  }

  updateSession(update: RealtimeSession, event: Pick<RealtimeClientEvent, 'event_id'> = {}): void {
    this.#settings = mergeSettings(this.#settings, update)
    const session = { type: 'realtime' as const, ...update }
    this.#options.send({ ...event, type: 'session.update', session })
  }

  /** Sends an item, again if the connection is lost before the service has it. */
  addItem(item: RealtimeNewItem, event: ItemEvent = {}): void {
    this.#options.send({ ...toCreate(this.#history.add(item)), ...event })
  }

  /** Requests a response as soon as none is in progress. */
  respond(response?: RealtimeResponseSettings): void {
    this.#responses.request(response)
  }

  /** @throws {InputError} if the model has not called this tool, or already has a result. */
  sendToolResult(callId: string, output: string, response?: RealtimeResponseSettings): void {
    if (!this.#openCalls.delete(callId)) {
      const { what } = this.#options
      throw new InputError(`${what} failed: no tool call ${callId} waits for a result`)
    }
    this.addItem({ type: 'function_call_output', call_id: callId, output })
    if (this.#openCalls.size === 0) this.respond(response)
  }

  interrupt(): void {
    if (this.#responses.activeId !== undefined) this.#options.send({ type: 'response.cancel' })
    this.#cut()
  }

  reportPlayed(itemId: string, playedMs: number): void {
    this.#playback.report(itemId, playedMs)
  }

  /** The connection was lost. The response in progress and the requests are forgotten. */
  leaveSession(): void {
    this.#responses.reset()
  }

  /** The events that begin a session: the settings and, after a lost connection, the items. */
  beginSession(isRestored: boolean): RealtimeClientEvent[] {
    this.#interruption.reset()
    this.#resume()
    // The new session has them as text, of which no end can be cut off.
    this.#playback.forgetItems()
    return [
      { type: 'session.update', session: { type: 'realtime', ...this.#settings } },
      ...(isRestored ? this.#history.restore().map(toCreate) : []),
    ]
  }

  /** Ends the wait for the transcript of a possible interruption. */
  close(): void {
    this.#interruption.reset()
  }

  get #outputFormat(): RealtimeFormat {
    return this.#settings.audio?.output?.format?.type ?? 'audio/pcm'
  }

  get #outputBytesPerMs(): number {
    const { rate = usualPcmRateHertz } = this.#settings.audio?.output?.format ?? {}
    return this.#outputFormat === 'audio/pcm' ? (2 * rate) / 1000 : 8
  }

  get #hasSpeech(): boolean {
    const { activeId } = this.#responses
    const isSpoken = activeId !== undefined && activeId !== this.#cutResponseId
    return this.#playback.remainingMs > 0 || isSpoken
  }

  #receiveAudio({ delta, ...facts }: AudioDelta): void {
    if (facts.response_id === this.#cutResponseId) return
    const bytes = Buffer.from(delta, 'base64')
    const durationMs = bytes.length / this.#outputBytesPerMs
    const audio = { ...facts, audio: bytes } as RealtimeAudio
    const playback = this.#playback
    playback.add({ itemId: facts.item_id, contentIndex: facts.content_index, durationMs })
    if (mayInterrupt(this.#settings)) this.#replay.add(audio, durationMs, playback.remainingMs)
    if (!playback.isPaused) this.#options.emit(audio)
  }

  #noteToolCall(event: RealtimeServerEvent): void {
    if (event.type !== 'response.output_item.done') return
    const { type, call_id, status } = event.item
    // A limit can end a response in the middle of the arguments, and nobody must call the tool with half of them.
    if (type !== 'function_call' || !call_id || status === 'incomplete') return
    addBounded(this.#openCalls, call_id)
  }

  /** Pauses the player during a possible interruption. @returns whether there was speech to interrupt. */
  #pause(): boolean {
    if (!mayInterrupt(this.#settings) || !this.#hasSpeech) return false
    if (this.#playback.isPaused) return true
    const { remainingMs } = this.#playback
    if (remainingMs >= 1 && this.#replay.last(remainingMs).length === 0) {
      this.#cut()
      return false
    }
    this.#playback.pause()
    this.#options.emit({ type: 'paused' })
    return true
  }

  #resume(): void {
    const playback = this.#playback
    if (!playback.isPaused) return
    const speech = this.#replay.last(playback.remainingMs)
    const playedMs = playback.unheard()[0]?.heardMs ?? 0
    playback.resume()
    const isComplete = this.#responses.activeId === undefined
    this.#options.emit({ type: 'resumed', speech, playedMs, isComplete })
  }

  /** Stops the player, and reports to the service what the user has heard. */
  #cut(): void {
    this.#interruption.reset()
    // A pause must end, or the player would not receive the next response.
    if (!this.#hasSpeech && !this.#playback.isPaused) return
    this.#cutResponseId = this.#responses.activeId
    const unheard = this.#playback.stop()
    this.#replay.clear()
    for (const { itemId, contentIndex, heardMs, receivedMs } of unheard) {
      const item = { item_id: itemId, content_index: contentIndex }
      this.#options.send({ type: 'conversation.item.truncate', ...item, audio_end_ms: heardMs })
      this.#history.shorten(itemId, heardMs / receivedMs)
    }
    this.#options.emit({ type: 'interrupted', unheard })
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
