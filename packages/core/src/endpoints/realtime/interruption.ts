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

/** How long the decision may take after the sound. A recogniser of a small computer takes some seconds. */
const transcriptLimitMs = 15_000
/** Without transcription, the only sign of a noise is that the service does not respond. */
const responseLimitMs = 3000

export function createInterruption(options: InterruptionOptions): Interruption {
  /** The items of the sounds that may be an interruption. */
  const suspects = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const reset = () => {
    clearTimeout(timer)
    suspects.clear()
  }
  const confirm = () => {
    reset()
    options.onConfirmed()
  }
  /** @param isNoise whether this is certain. */
  const transcribed = (itemId: string, isNoise: boolean) => {
    if (!suspects.has(itemId)) return
    if (!isNoise) return confirm()
    suspects.delete(itemId)
    if (suspects.size > 0) return
    clearTimeout(timer)
    options.onRejected()
  }

  const limitWait = (itemId: string) => {
    if (!suspects.has(itemId)) return
    const limitMs = options.isTranscribed() ? transcriptLimitMs : responseLimitMs
    // A later transcript can still confirm the interruption.
    timer = setTimeout(options.onRejected, limitMs)
  }

  return {
    note(event) {
      switch (event.type) {
        case 'input_audio_buffer.speech_started':
          clearTimeout(timer)
          if (options.onSuspected()) suspects.add(event.item_id)
          return
        case 'input_audio_buffer.speech_stopped':
          return limitWait(event.item_id)
        case 'conversation.item.input_audio_transcription.delta':
          if (event.delta?.trim()) transcribed(event.item_id, false)
          return
        case 'conversation.item.input_audio_transcription.completed':
          return transcribed(event.item_id, event.transcript.trim() === '')
        case 'conversation.item.input_audio_transcription.failed':
          return transcribed(event.item_id, true)
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
