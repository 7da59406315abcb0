import { hasSeveralWords } from '../../text/words.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'

export interface InterruptionCheckOptions {
  /** The user may be interrupting. @returns whether there was speech to interrupt. */
  onSuspected(): boolean
  /** It was a noise. */
  onRejected(): void
  /** The user has said something, or the service has ended the response. */
  onConfirmed(): void
  /** Whether the client waits for a response that it has requested. */
  isRequested(): boolean
  /** Whether the service transcribes what the user says. */
  isTranscribed(): boolean
}

/** A sound that may be an interruption. */
interface Suspect {
  /** Those so far. */
  words: string
  isTranscribed: boolean
}

/** How long the decision may take after the sound. A recogniser of a small computer takes some seconds. */
const transcriptLimitMs = 15_000
/** Where words do not decide, the only sign of a noise is that the service does not respond. */
const responseLimitMs = 3000

/**
 * Decides whether the player, which pauses as soon as the user makes a sound, resumes or stops. Whether a response ends is
 * decided by the service; its speech may still be playing long after it is complete.
 */
export class InterruptionCheck {
  readonly #options: InterruptionCheckOptions
  /** The sounds whose decision is open, by the ids of their items. */
  readonly #suspects = new Map<string, Suspect>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: InterruptionCheckOptions) {
    this.#options = options
  }

  /** Takes note of an event of the service. */
  note(event: RealtimeServerEvent) {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        clearTimeout(this.#timer)
        if (this.#options.onSuspected()) {
          this.#suspects.set(event.item_id, { words: '', isTranscribed: false })
        }
        return
      case 'input_audio_buffer.speech_stopped':
        if (!this.#suspects.has(event.item_id)) return
        return this.#limitWait(this.#options.isTranscribed() ? transcriptLimitMs : responseLimitMs)
      case 'conversation.item.input_audio_transcription.delta':
        return this.#addWords(event.item_id, event.delta ?? '')
      case 'conversation.item.input_audio_transcription.completed':
        return this.#transcribed(event.item_id, event.transcript)
      case 'conversation.item.input_audio_transcription.failed':
        return this.#transcribed(event.item_id, '')
      case 'response.output_audio.delta':
        return this.#continued()
      case 'response.created':
        // The service responds to what the user has said, unless the client requests it, such as after the result of a tool.
        if (this.#suspects.size > 0 && !this.#options.isRequested()) this.#confirm()
        return
      case 'response.done':
        if (event.response.status_details?.reason === 'turn_detected') this.#confirm()
    }
  }

  /** Forgets the sounds whose transcripts have not arrived. */
  reset(): void {
    clearTimeout(this.#timer)
    this.#suspects.clear()
  }

  #confirm(): void {
    this.reset()
    this.#options.onConfirmed()
  }

  #reject(itemId: string): void {
    this.#suspects.delete(itemId)
    if (this.#suspects.size > 0) return
    clearTimeout(this.#timer)
    this.#options.onRejected()
  }

  #limitWait(limitMs: number): void {
    clearTimeout(this.#timer)
    // A later event can still confirm the interruption.
    this.#timer = setTimeout(this.#options.onRejected, limitMs)
  }

  #addWords(itemId: string, delta: string): void {
    const suspect = this.#suspects.get(itemId)
    if (!suspect) return
    suspect.words += delta
    if (hasSeveralWords(suspect.words)) this.#confirm()
  }

  #transcribed(itemId: string, words: string) {
    const suspect = this.#suspects.get(itemId)
    if (!suspect) return
    if (hasSeveralWords(words)) return this.#confirm()
    if (words.trim() === '') return this.#reject(itemId)
    // Recognisers take a cough for a single word. The service knows how certain it is.
    suspect.isTranscribed = true
    this.#limitWait(responseLimitMs)
  }

  /** The service goes on speaking, so no word has interrupted it. */
  #continued(): void {
    const open = [...this.#suspects.values()]
    if (open.length === 0 || !open.every(({ isTranscribed }) => isTranscribed)) return
    this.reset()
    this.#options.onRejected()
  }
}
