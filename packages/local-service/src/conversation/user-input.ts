import { realtimeTurnRule } from '../listening/turns/turn-rule.ts'
import { decodeBase64 } from '../requests/read-json.ts'
import { SessionError } from './server-events.ts'
import type { SessionParts } from './session-parts.ts'
import { createUserItems, type UserItems } from './user-items.ts'
import { openUserTurns, type Transcript, type UserTurn, type UserTurns } from './user-turns.ts'

/** What the user says: audio in, items of the conversation and their transcripts out. */
export interface UserInput extends Pick<UserItems, 'transcribed' | 'isTranscribing'> {
  /** @param audio base64. @throws {ServiceError} if it is malformed, or no recogniser is installed. */
  append(audio: string): Promise<void>
  /** Ends the turn. @throws {SessionError} if there is none. */
  commit(): void
  /** Drops the turn. */
  clear(): Promise<void>
  /** Applies changed settings to the audio that follows. Ends the current turn. */
  restart(): void
  readonly isInTurn: boolean
  /** The length of the audio so far. */
  readonly durationMs: number
  /** Adds a turn without words, of a user who has said nothing since this time. */
  addSilence(startMs: number): void
  close(): Promise<void>
}

export interface UserInputOptions extends SessionParts {
  /** The detector has found speech. */
  onSpeechStarted(): void
  /** There are words in the speech that the detector has found. */
  onWords(): void
  /** A turn that the detector has found is transcribed. Without words if the recogniser has failed. */
  onTurnEnded(turn: UserTurn, transcript: Transcript): void
}

export function createUserInput(options: UserInputOptions): UserInput {
  const items = createUserItems(options)
  let turns: UserTurns | undefined
  let durationMs = 0
  /** Each second brings dozens of messages with audio; one error is enough. */
  let cannotOpen = false

  const commit = (): boolean => {
    const turn = turns?.commit()
    if (turn) void items.add(turn)
    return turn !== undefined
  }
  const close = () => {
    if (!turns) return
    ;({ durationMs } = turns)
    turns.close()
    turns = undefined
  }
  const open = async (): Promise<UserTurns> => {
    try {
      turns ??= await openTurns(durationMs, items, options)
      return turns
    } catch (error) {
      cannotOpen = true
      throw error
    }
  }
  const duration = () => turns?.durationMs ?? durationMs
  return {
    async append(text) {
      const given = decodeBase64(text)
      if ('problem' in given) {
        throw new SessionError('invalid_value', `audio: ${given.problem}`, 'audio')
      }
      if (!cannotOpen) await (await open()).append(given.bytes)
    },
    commit() {
      if (commit()) return
      const message =
        'The input audio buffer is empty: no audio since the last turn, or no speech in it'
      throw new SessionError('input_audio_buffer_commit_empty', message)
    },
    async clear() {
      turns?.clear()
      await options.emit({ type: 'input_audio_buffer.cleared' })
    },
    restart() {
      commit()
      close()
      cannotOpen = false
    },
    get isInTurn() {
      return turns?.isInTurn ?? false
    },
    get durationMs() {
      return duration()
    },
    addSilence: (startMs) => items.addSilence(startMs, duration()),
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

/** @param offsetMs the length of the session's audio so far. @throws {ServiceError} if no recogniser is installed. */
function openTurns(
  offsetMs: number,
  items: UserItems,
  options: UserInputOptions,
): Promise<UserTurns> {
  const { emit, state, signal, speechDetector } = options
  const { format, transcription, turn_detection: detection } = state.settings.audio.input
  return openUserTurns({
    format,
    rule: realtimeTurnRule(detection),
    speechDetector,
    offsetMs,
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
