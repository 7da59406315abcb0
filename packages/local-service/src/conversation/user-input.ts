import type { RealtimeItem } from '@parlando/core/wire'
import { realtimeTurnRule } from '../listening/turns/turn-rule.ts'
import { decodeBase64 } from '../requests/read-json.ts'
import type { Entry } from './conversation-items.ts'
import { newId, SessionError, toErrorBody, toErrorEvent } from './server-events.ts'
import type { SessionParts } from './session-context.ts'
import { type TurnTranscript, type UserTurn, UserTurns } from './user-turns.ts'

export interface UserInputOptions extends SessionParts {
  /** The detector has found speech. */
  onSpeechStarted(): void
  /** There are words in the speech that the detector has found. */
  onWords(): void
  /** A turn that the detector has found is transcribed. Without words if the recogniser has failed. */
  onTurnEnded(turn: UserTurn, transcript: TurnTranscript): void
}

const noWords: TurnTranscript = { text: '' }
/** How a language model reads that the user says nothing. A voice speaks nothing for it, in any language. */
const silenceText = '…'

/** What the user says: audio in, items of the conversation and their transcripts out. */
export class UserInput {
  readonly #options: UserInputOptions
  readonly #transcriptions = new Set<Promise<TurnTranscript>>()
  #turns: UserTurns | undefined
  /** Of the audio before these turns. */
  #earlierMs = 0
  /** Each second brings dozens of messages with audio; one error is enough. */
  #cannotOpen = false

  constructor(options: UserInputOptions) {
    this.#options = options
  }

  get isInTurn(): boolean {
    return this.#turns?.isInTurn ?? false
  }

  /** The length of the audio so far. */
  get durationMs(): number {
    return this.#turns?.durationMs ?? this.#earlierMs
  }

  get isTranscribing(): boolean {
    return this.#transcriptions.size > 0
  }

  /** Resolves when every turn so far is transcribed. */
  async transcribed(): Promise<void> {
    await Promise.all(this.#transcriptions)
  }

  /** @param audio base64. @throws {ServiceError} if it is malformed, or no recogniser is installed. */
  async append(audio: string): Promise<void> {
    const given = decodeBase64(audio)
    if ('problem' in given) {
      throw new SessionError('invalid_value', `audio: ${given.problem}`, 'audio')
    }
    if (this.#cannotOpen) return
    try {
      this.#turns ??= await this.#open()
    } catch (error) {
      this.#cannotOpen = true
      throw error
    }
    await this.#turns.append(given.bytes)
  }

  /** Ends the turn. @throws {SessionError} if there is none. */
  commit(): void {
    if (this.#commit()) return
    const message =
      'The input audio buffer is empty: no audio since the last turn, or no speech in it'
    throw new SessionError('input_audio_buffer_commit_empty', message)
  }

  /** Drops the turn. */
  async clear(): Promise<void> {
    this.#turns?.clear()
    await this.#options.emit({ type: 'input_audio_buffer.cleared' })
  }

  /** Applies changed settings to the audio that follows. Ends the current turn. */
  restart(): void {
    this.#commit()
    this.#closeTurns()
    this.#cannotOpen = false
  }

  /** Adds a turn without words, of a user who has said nothing since this time. */
  addSilence(startMs: number): void {
    const endMs = this.durationMs
    const times = { audio_start_ms: startMs, audio_end_ms: endMs }
    const turn = { itemId: newId('item'), startMs, endMs, voiceMs: 0 }
    const { emit } = this.#options
    void emit({ type: 'input_audio_buffer.timeout_triggered', ...times, item_id: turn.itemId })
    void this.#addItem({ ...turn, transcript: Promise.resolve(noWords) }, silenceText)
  }

  async close(): Promise<void> {
    this.#closeTurns()
    await this.transcribed()
  }

  #closeTurns(): void {
    this.#earlierMs = this.durationMs
    this.#turns?.close()
    this.#turns = undefined
  }

  #commit(): boolean {
    const turn = this.#turns?.commit()
    if (turn) void this.#addItem(turn)
    return turn !== undefined
  }

  /** @throws {ServiceError} if no recogniser is installed. */
  #open(): Promise<UserTurns> {
    const { emit, state, signal, speechDetector, onSpeechStarted, onWords } = this.#options
    const { format, transcription, turn_detection: detection } = state.settings.audio.input
    return UserTurns.open({
      format,
      rule: realtimeTurnRule(detection),
      speechDetector,
      offsetMs: this.#earlierMs,
      recogniser: this.#options.findRecogniser(transcription),
      language: transcription?.language,
      prompt: transcription?.prompt,
      signal,
      onSpeechStarted({ itemId: item_id, startMs: audio_start_ms }) {
        void emit({ type: 'input_audio_buffer.speech_started', audio_start_ms, item_id })
        onSpeechStarted()
      },
      onWords() {
        if (detection) onWords()
      },
      onSpeechStopped: (turn) => void this.#endTurn(turn),
    })
  }

  async #endTurn(turn: UserTurn): Promise<void> {
    const { itemId: item_id, endMs: audio_end_ms } = turn
    const { emit, onTurnEnded } = this.#options
    void emit({ type: 'input_audio_buffer.speech_stopped', audio_end_ms, item_id })
    onTurnEnded(turn, await this.#addItem(turn))
  }

  /**
   * Adds a turn to the conversation and transcribes it.
   * @param transcript what the language model reads if there are no words.
   * @returns the words; none if the recogniser fails.
   */
  #addItem(turn: UserTurn, transcript = ''): Promise<TurnTranscript> {
    const { emit, conversation } = this.#options
    const item: RealtimeItem = {
      id: turn.itemId,
      object: 'realtime.item',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_audio', transcript: null }],
    }
    const entry: Entry = { item, transcript }
    const previous_item_id = conversation.add(entry)
    void emit({ type: 'input_audio_buffer.committed', previous_item_id, item_id: item.id })
    void emit({ type: 'conversation.item.added', previous_item_id, item })
    void emit({ type: 'conversation.item.done', previous_item_id, item })
    const transcription = this.#transcribe(turn, entry).finally(() =>
      this.#transcriptions.delete(transcription),
    )
    this.#transcriptions.add(transcription)
    return transcription
  }

  async #transcribe(turn: UserTurn, entry: Entry): Promise<TurnTranscript> {
    const { emit, state, signal, onFailure } = this.#options
    // A client without transcription gets no events about it.
    const isReported = state.settings.audio.input.transcription !== null
    const place = { item_id: turn.itemId, content_index: 0 }
    const type = 'conversation.item.input_audio_transcription'
    try {
      const transcript = await turn.transcript
      const { text } = transcript
      if (text) entry.transcript = text
      if (isReported) {
        entry.item.content = [{ type: 'input_audio', transcript: text }]
        if (text) void emit({ type: `${type}.delta`, ...place, delta: text })
        const usage = { type: 'duration', seconds: (turn.endMs - turn.startMs) / 1000 }
        void emit({ type: `${type}.completed`, ...place, transcript: text, usage })
      }
      return transcript
    } catch (error) {
      if (signal.aborted) return noWords
      onFailure(error)
      if (isReported) void emit({ type: `${type}.failed`, ...place, error: toErrorBody(error) })
      else void emit(toErrorEvent(error))
      return noWords
    }
  }
}
