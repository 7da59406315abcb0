import { hasSeveralWords } from '../../text/several-words.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'

export interface InterruptionOptions {
  /** The user may be interrupting. @returns whether there was speech to interrupt. */
  onSuspected(): boolean
  /** It was a noise. */
  onRejected(): void
  /** The user has said something, or the service has ended the response. */
  onConfirmed(): void
  /** Whether the service transcribes what the user says. */
  isTranscribed(): boolean
}

/** Decides whether a sound of the user during a response is an interruption or only a noise. */
export interface Interruption {
  /** Takes note of an event of the service. */
  note(event: RealtimeServerEvent): void
  /** Forgets the sounds whose transcripts have not arrived. */
  reset(): void
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

export function createInterruption(options: InterruptionOptions): Interruption {
  /** By item. */
  const suspects = new Map<string, Suspect>()
  let timer: NodeJS.Timeout | undefined

  const reset = () => {
    clearTimeout(timer)
    suspects.clear()
  }
  const confirm = () => {
    reset()
    options.onConfirmed()
  }
  const reject = (itemId: string) => {
    suspects.delete(itemId)
    if (suspects.size > 0) return
    clearTimeout(timer)
    options.onRejected()
  }
  const limitWait = (limitMs: number) => {
    clearTimeout(timer)
    // A later event can still confirm the interruption.
    timer = setTimeout(options.onRejected, limitMs)
  }

  const addWords = (itemId: string, delta: string) => {
    const suspect = suspects.get(itemId)
    if (!suspect) return
    suspect.words += delta
    if (hasSeveralWords(suspect.words)) confirm()
  }
  const transcribed = (itemId: string, words: string) => {
    const suspect = suspects.get(itemId)
    if (!suspect) return
    if (hasSeveralWords(words)) return confirm()
    if (words.trim() === '') return reject(itemId)
    // Recognisers take a cough for a single word. The service knows how certain it is.
    suspect.isTranscribed = true
    limitWait(responseLimitMs)
  }
  /** The service goes on speaking, so no word has interrupted it. */
  const continued = () => {
    const open = [...suspects.values()]
    if (open.length === 0 || !open.every(({ isTranscribed }) => isTranscribed)) return
    reset()
    options.onRejected()
  }

  return {
    note(event) {
      switch (event.type) {
        case 'input_audio_buffer.speech_started':
          clearTimeout(timer)
          if (options.onSuspected()) {
            suspects.set(event.item_id, { words: '', isTranscribed: false })
          }
          return
        case 'input_audio_buffer.speech_stopped':
          if (!suspects.has(event.item_id)) return
          return limitWait(options.isTranscribed() ? transcriptLimitMs : responseLimitMs)
        case 'conversation.item.input_audio_transcription.delta':
          return addWords(event.item_id, event.delta ?? '')
        case 'conversation.item.input_audio_transcription.completed':
          return transcribed(event.item_id, event.transcript)
        case 'conversation.item.input_audio_transcription.failed':
          return transcribed(event.item_id, '')
        case 'response.output_audio.delta':
          return continued()
        case 'response.created':
          // The service responds to what the user has said.
          if (suspects.size > 0) confirm()
          return
        case 'response.done':
          if (event.response.status_details?.reason === 'turn_detected') confirm()
      }
    },
    reset,
  }
}
