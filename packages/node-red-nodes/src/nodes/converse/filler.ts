import {
  type ConversationMessages,
  type ConverseMessage,
  sessionRateHertz,
} from './conversation-messages.ts'

/** What the user hears while a tool works for long. Default: `tone`. */
export type FillerKind = 'tone' | 'word' | 'none'

export interface FillerOptions {
  kind: FillerKind | undefined
  messages: ConversationMessages
  send(message: ConverseMessage): void
  /** How long a speaker still plays what the model has said. */
  unplayedMs(): number
  /** Makes the user's microphone silent, which would hear the sound. */
  mute(durationMs: number): void
  /** Speaks a word such as “One moment”. PCM at the rate of the session. */
  speakWord(signal: AbortSignal): Promise<Uint8Array>
}

const patienceMs = 1500
const pauseMs = 3000
/** A player begins later than it receives the sound, and the microphone hears it later. */
const delayMs = 600

/** Lets the user hear that a tool works. */
export class Filler {
  readonly #options: FillerOptions
  #timer: NodeJS.Timeout | undefined
  #waiting = new AbortController()
  #audibleUntil = 0

  constructor(options: FillerOptions) {
    this.#options = options
  }

  /** A tool begins to work. */
  begin(): void {
    const { kind } = this.#options
    if (kind === 'none' || this.#timer) return
    this.#waiting = new AbortController()
    this.#wait(patienceMs)
  }

  /** The model continues, or the user begins to speak: there will be no more sound. */
  end(): void {
    this.#waiting.abort()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** The answer begins: stops the sound. */
  stop(): void {
    this.end()
    const { messages, send } = this.#options
    if (performance.now() < this.#audibleUntil) send(messages.stop())
    this.#audibleUntil = 0
  }

  #wait(durationMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#play(), durationMs)
  }

  async #play(): Promise<void> {
    const { kind, unplayedMs, speakWord } = this.#options
    const { signal } = this.#waiting
    if (unplayedMs() > 0) return this.#wait(unplayedMs() + patienceMs)
    // It is a tone if no voice says the word.
    const word = kind === 'word' ? await speakWord(signal).catch(() => undefined) : undefined
    if (signal.aborted) return
    this.#send(word ?? tone)
    // A word is said once; a tone is repeated.
    if (kind !== 'word' || !word) return this.#wait(pauseMs)
  }

  #send(pcm: Uint8Array): void {
    const { messages, send, mute } = this.#options
    const durationMs = (1000 * pcm.length) / (2 * sessionRateHertz)
    const sound = messages.sound()
    this.#audibleUntil = performance.now() + durationMs + delayMs
    mute(durationMs + delayMs)
    send(sound.next(pcm))
    send(sound.last(false))
  }
}

const toneMs = 350
const toneHertz = [523, 659]
/** -26 dB for both together: softer than speech. */
const toneAmplitude = 0.025

const tone = makeTone()

function makeTone(): Buffer {
  const length = Math.round((toneMs / 1000) * sessionRateHertz)
  const pcm = Buffer.alloc(2 * length)
  for (let index = 0; index < length; index++) {
    const envelope = Math.sin((Math.PI * index) / length) ** 2
    const angle = (2 * Math.PI * index) / sessionRateHertz
    const value = toneHertz.reduce((sum, hertz) => sum + Math.sin(hertz * angle), 0)
    pcm.writeInt16LE(Math.round(32_767 * toneAmplitude * envelope * value), 2 * index)
  }
  return pcm
}
