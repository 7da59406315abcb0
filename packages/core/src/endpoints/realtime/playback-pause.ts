import { hasSeveralWords } from '../../text/words.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeAudio } from './realtime-event.ts'

export interface PlaybackPauseOptions {
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
export class PlaybackPause {
  readonly #options: PlaybackPauseOptions
  /** The sounds whose decision is open, by the ids of their items. */
  readonly #suspects = new Map<string, Suspect>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: PlaybackPauseOptions) {
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

interface Piece {
  audio: RealtimeAudio
  durationMs: number
}

/** Eleven minutes of PCM. A service may send a response much faster than a player plays it. */
const maxBytes = 32 * 1024 * 1024

/** The latest speech, in case a player has to play it again. */
export class Replay {
  readonly #sampleBytes: () => number
  #pieces: Piece[] = []
  #durationMs = 0
  #bytes = 0

  /** @param sampleBytes the size of a sample. */
  constructor(sampleBytes: () => number) {
    this.#sampleBytes = sampleBytes
  }

  /** @param unplayedMs how much of all speech a player has not played yet, with this piece. */
  add(audio: RealtimeAudio, durationMs: number, unplayedMs: number): void {
    this.#pieces.push({ audio, durationMs })
    this.#durationMs += durationMs
    this.#bytes += audio.audio.length
    while (
      this.#pieces.length > 1 &&
      this.#durationMs - this.#pieces[0]!.durationMs >= unplayedMs
    ) {
      this.#dropFirst()
    }
    while (this.#bytes > maxBytes) this.#dropFirst()
  }

  /** @returns the last speech, of this length; empty if too much of it was dropped. */
  last(durationMs: number): RealtimeAudio[] {
    if (this.#durationMs < Math.floor(durationMs)) return []
    const found: RealtimeAudio[] = []
    let missingMs = durationMs
    for (const piece of this.#pieces.toReversed()) {
      if (missingMs < 1) break
      const isWhole = piece.durationMs <= missingMs
      found.unshift(isWhole ? piece.audio : cutStart(piece, missingMs, this.#sampleBytes()))
      missingMs -= piece.durationMs
    }
    return found
  }

  clear(): void {
    this.#pieces = []
    this.#durationMs = 0
    this.#bytes = 0
  }

  #dropFirst(): void {
    const first = this.#pieces.shift()!
    this.#durationMs -= first.durationMs
    this.#bytes -= first.audio.audio.length
  }
}

/** The end of a piece. */
function cutStart(
  { audio, durationMs }: Piece,
  keptMs: number,
  sampleBytes: number,
): RealtimeAudio {
  const samples = audio.audio.length / sampleBytes
  const start = Math.round(samples * (1 - keptMs / durationMs))
  return { ...audio, audio: audio.audio.subarray(start * sampleBytes) }
}
