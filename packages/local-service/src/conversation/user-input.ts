import { realtimeTurnRule } from '../listening/turns/turn-rule.ts'
import { decodeBase64 } from '../requests/read-json.ts'
import { createInputAudio, type InputAudio } from './input-audio.ts'
import { newId } from './new-id.ts'
import { SessionError } from './session-error.ts'
import type { SessionParts } from './session-parts.ts'
import { createUserItems, noWords } from './user-items.ts'
import type { EndedTurn, Transcript } from './user-turn.ts'

/** What the user says: audio in, items of the conversation and their transcripts out. */
export interface UserInput {
  /** @param audio base64. @throws {ServiceError} if it is malformed, or no recogniser is installed. */
  append(audio: string): Promise<void>
  /** Ends the turn. @throws {SessionError} if there is none. */
  commit(): Promise<void>
  /** Drops the turn. */
  clear(): Promise<void>
  /** Applies changed settings to the audio that follows. Ends the current turn. */
  restart(): void
  readonly isInTurn: boolean
  /** The length of the audio so far. */
  readonly durationMs: number
  /** Adds a turn without words, of a user who says nothing. */
  addSilence(startMs: number): void
  /** Resolves when every turn so far is transcribed. */
  transcribed(): Promise<void>
  readonly isTranscribing: boolean
  close(): Promise<void>
}

export interface UserInputOptions extends SessionParts {
  /** The detector has found speech. */
  onSpeechStarted(): void
  /** There are words in the speech that the detector has found. */
  onWords(): void
  /** A turn that the detector has found is transcribed. Without words if the recogniser has failed. */
  onTurnEnded(turn: EndedTurn, transcript: Transcript): void
}

/** How a language model reads that the user says nothing. A voice speaks nothing for it, in any language. */
const silenceText = '…'

export function createUserInput(options: UserInputOptions): UserInput {
  const { emit, state, signal } = options
  const items = createUserItems(options)
  let audio: InputAudio | undefined
  let durationMs = 0
  /** Each second brings dozens of messages with audio; one error is enough. */
  let cannotOpen = false

  const open = () => {
    const { format, transcription, turn_detection: detection } = state.settings.audio.input
    return createInputAudio({
      format,
      rule: realtimeTurnRule(detection),
      speechDetector: options.speechDetector,
      offsetMs: durationMs,
      recogniser: options.findRecogniser(transcription),
      language: transcription?.language,
      prompt: transcription?.prompt,
      signal,
      onSpeechStarted({ itemId: item_id, startMs: audio_start_ms }) {
        void emit({ type: 'input_audio_buffer.speech_started', audio_start_ms, item_id })
        options.onSpeechStarted()
      },
      onWords() {
        if (detection) options.onWords()
      },
      onSpeechStopped(turn) {
        const { itemId: item_id, endMs: audio_end_ms } = turn
        void emit({ type: 'input_audio_buffer.speech_stopped', audio_end_ms, item_id })
        void items.add(turn).then((transcript) => options.onTurnEnded(turn, transcript))
      },
    })
  }

  const close = () => {
    if (!audio) return
    ;({ durationMs } = audio)
    audio.close()
    audio = undefined
  }
  return {
    async append(text) {
      const given = decodeBase64(text)
      if ('problem' in given) {
        throw new SessionError('invalid_value', `audio: ${given.problem}`, 'audio')
      }
      if (cannotOpen) return
      try {
        audio ??= await open()
      } catch (error) {
        cannotOpen = true
        throw error
      }
      await audio.append(given.bytes)
    },
    async commit() {
      const turn = audio?.commit()
      if (!turn) {
        const message =
          'The input audio buffer is empty: no audio since the last turn, or no speech in it'
        throw new SessionError('input_audio_buffer_commit_empty', message)
      }
      void items.add(turn)
    },
    async clear() {
      audio?.clear()
      await emit({ type: 'input_audio_buffer.cleared' })
    },
    restart() {
      const turn = audio?.commit()
      if (turn) void items.add(turn)
      close()
      cannotOpen = false
    },
    get isInTurn() {
      return audio?.isInTurn ?? false
    },
    get durationMs() {
      return audio?.durationMs ?? durationMs
    },
    addSilence(startMs) {
      const endMs = this.durationMs
      const transcript = Promise.resolve(noWords)
      const turn = { itemId: newId('item'), startMs, endMs, voiceMs: 0, transcript }
      const times = { audio_start_ms: startMs, audio_end_ms: endMs }
      void emit({ type: 'input_audio_buffer.timeout_triggered', ...times, item_id: turn.itemId })
      void items.add(turn, silenceText)
    },
    transcribed: items.transcribed,
    get isTranscribing() {
      return items.isTranscribing
    },
    async close() {
      close()
      await items.transcribed()
    },
  }
}
