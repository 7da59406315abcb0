import type { RealtimeConversation } from '@parlando/core'
import { NodeInputError } from '../../runtime/failure.ts'
import { sharedText, type Texts } from '../../runtime/texts.ts'
import { createRateConverter } from '../../sounds/rate-converter.ts'
import type {
  LiveAudio,
  RecordingCollector,
} from '../../sounds/to-recognise/recording-collector.ts'
import { type ConverseMessage, sessionRateHertz, toolCallOf } from './conversation-messages.ts'

type Action = (conversation: RealtimeConversation) => void

const maxWaiting = 1000

export interface InputListeners {
  /** A recording begins whose end, and not a silence, ends the turn: the service does not report that the user speaks. */
  onTurn(): void
  /** Such a recording has ended, and with it the turn. */
  onTurnEnded(): void
  /** The user has written a text. */
  onText(text: string): void
  /** A tool of the flow has returned this. @throws {InputError} if no call waits for it. */
  onToolResult(callId: string, result: string): void
}

/** The messages for a conversation: recordings, texts and the results of tools. They wait until it is connected. */
export class UserMessages {
  readonly #RED: Texts
  readonly #collector: RecordingCollector
  readonly #silenceMs: number | undefined
  readonly #closing = new AbortController()
  readonly #waiting: Action[] = []
  #connected: RealtimeConversation | undefined
  #hasAudio = false
  #mutedUntil = 0
  #fail: (error: unknown) => void = () => {}
  #listeners: InputListeners | undefined

  /** @param silenceMs the silence that ends a turn. `undefined`: the end of the recording does. */
  constructor(RED: Texts, collector: RecordingCollector, silenceMs: number | undefined) {
    this.#RED = RED
    this.#collector = collector
    this.#silenceMs = silenceMs
  }

  /** Whether somebody may speak: a recording has begun. */
  get hasAudio(): boolean {
    return this.#hasAudio
  }

  /** @throws {NodeInputError} if the message is none of these, or if too many are waiting. */
  take(message: ConverseMessage): void {
    const action = this.#accept(message)
    if (this.#connected) action(this.#connected)
    else this.#waiting.push(action)
  }

  /**
   * Passes everything to the conversation.
   * @returns a promise that rejects if a message or a recording fails.
   */
  async connect(conversation: RealtimeConversation, listeners: InputListeners): Promise<never> {
    this.#connected = conversation
    this.#listeners = listeners
    const failure = new Promise<never>((_resolve, reject) => {
      this.#fail = reject
    })
    for (const action of this.#waiting.splice(0)) action(conversation)
    return failure
  }

  /** Sends silence in place of what the microphone hears, as for a sound that is not part of the conversation. */
  mute(durationMs: number): void {
    this.#mutedUntil = performance.now() + durationMs
  }

  close(): void {
    this.#closing.abort()
  }

  #accept(message: ConverseMessage): Action {
    try {
      if (this.#waiting.length >= maxWaiting)
        throw new NodeInputError(sharedText(this.#RED, 'error.too-many-waiting'))
      return this.#actionFor(message)
    } catch (error) {
      // The other chunks of its recording, if it is one.
      this.#collector.close(message)
      throw error
    }
  }

  #actionFor(message: ConverseMessage): Action {
    // An inject node sends the time as a number.
    const payload = typeof message.payload === 'number' ? String(message.payload) : message.payload
    const call = toolCallOf(message)
    if (call) {
      // A conversation that is not connected has called no tool: the call is of the one before.
      if (!this.#connected) throw new NodeInputError(this.#RED._('converse.error.no-call'))
      return () => this.#listeners?.onToolResult(call.callId, toolResult(payload))
    }
    if (typeof payload === 'string' && payload.trim() !== '') {
      return (conversation) => {
        this.#listeners?.onText(payload)
        conversation.sendText(payload)
      }
    }
    if (!Buffer.isBuffer(payload)) throw new NodeInputError(this.#RED._('converse.error.not-input'))
    return this.#startRecording(message)
  }

  #startRecording(message: ConverseMessage): Action {
    const { signal } = this.#closing
    const audio = this.#collector.open(message, { signal, isWhole: false })
    if (audio.kind !== 'live') throw new NodeInputError(this.#RED._('converse.error.not-live'))
    this.#hasAudio = true
    const silenceMs = this.#silenceMs
    return (conversation) => {
      if (silenceMs === undefined) this.#listeners?.onTurn()
      const isMuted = () => performance.now() < this.#mutedUntil
      sendAudio(audio, conversation, { silenceMs, signal, isMuted })
        .then(() => silenceMs === undefined && this.#listeners?.onTurnEnded())
        .catch((error) => signal.aborted || this.#fail(error))
    }
  }
}

interface AudioTurn {
  silenceMs: number | undefined
  signal: AbortSignal
  isMuted(): boolean
}

/** Sends a recording while it arrives, and what ends the turn. */
async function sendAudio(
  audio: LiveAudio,
  conversation: RealtimeConversation,
  { silenceMs, signal, isMuted }: AudioTurn,
): Promise<void> {
  const convert = createRateConverter(audio.sampleRateHertz, sessionRateHertz)
  for await (const chunk of audio.readChunks(signal)) {
    const converted = convert(chunk)
    await conversation.sendAudio(isMuted() ? Buffer.alloc(converted.length) : converted)
  }
  if (silenceMs === undefined) return conversation.endTurn()
  // The recording may end before the silence that ends a turn.
  await conversation.sendAudio(silence(silenceMs + 500))
}

function silence(durationMs: number): Buffer {
  return Buffer.alloc(2 * Math.round((durationMs / 1000) * sessionRateHertz))
}

/** The result of a tool for the language model. */
function toolResult(payload: unknown): string {
  return typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')
}
