import { hasSeveralWords } from '@parlando/core/text'
import {
  createTurnTranscriber,
  type StartedTurn,
  type TurnTranscriber,
} from '../../listening/turn-transcriber.ts'
import { realtimeTurnRule } from '../../listening/turns/turn-rule.ts'
import type { FoundModel } from '../../recognisers/recogniser-registry.ts'
import { readBase64 } from '../../requests/read-base64.ts'
import { newId, SessionError } from '../server-events.ts'
import type { SessionParts } from '../session-parts.ts'
import { encodingOf } from '../session-settings.ts'
import { UserItems } from './user-items.ts'
import { joinUtterances, OpenTurn, type TurnTranscript, type UserTurn } from './user-turn.ts'

export interface UserInputOptions extends SessionParts {
  /** The detector has found speech. */
  onSpeechStarted(): void
  /**
   * The recogniser has certainly understood words in the speech that the detector has found: recognisers take the beginning of a
   * noise for a short word. Called at most once for a turn, only if the recogniser has interim results.
   */
  onWords(): void
  /**
   * The turn may end with these words, which a model has not judged yet. They reject if the recogniser fails, or if the user goes
   * on.
   */
  onPaused(words: Promise<TurnTranscript>): void
  /** It goes on. */
  onResumed(): void
  /** A turn that the detector has found is transcribed. Without words if the recogniser has failed. */
  onTurnEnded(turn: UserTurn, transcript: TurnTranscript): void
}

/** While this many turns, or utterances of a long turn, are being transcribed, the client has to wait. */
const maxUnfinished = 4
/** How a language model reads that the user says nothing. A voice speaks nothing for it, in any language. */
const silenceText = '…'

/** What the user says: audio in, items of the conversation and their transcripts out. */
export class UserInput {
  readonly #options: UserInputOptions
  readonly #items: UserItems
  #transcriber: TurnTranscriber | undefined
  #turn: OpenTurn | undefined
  /** The length of the audio before that of the current transcriber. */
  #earlierMs = 0
  /** Why there is no transcriber, once the client knows it: each second brings dozens of messages with audio. */
  #problem: 'no recogniser' | 'it does not open' | undefined

  constructor(options: UserInputOptions) {
    this.#options = options
    this.#items = new UserItems(options)
  }

  get isInTurn(): boolean {
    return this.#turn !== undefined
  }

  /** The id of the item that the turn becomes; undefined when no turn has begun. */
  get turnId(): string | undefined {
    return this.#turn?.itemId
  }

  /** The length of the audio so far. */
  get durationMs(): number {
    return this.#earlierMs + (this.#transcriber?.durationMs ?? 0)
  }

  get isTranscribing(): boolean {
    return this.#items.isTranscribing
  }

  /** Resolves when every turn so far is transcribed. */
  transcribed(): Promise<void> {
    return this.#items.transcribed()
  }

  /** @param audio base64. @throws {ServiceError} if it is malformed, or no recogniser is installed. */
  async append(audio: string): Promise<void> {
    const given = readBase64(audio)
    if ('problem' in given) {
      throw new SessionError('invalid_value', `audio: ${given.problem}`, 'audio')
    }
    this.#transcriber ??= await this.#tryToOpen()
    // Resolves when the recogniser is not too far behind.
    await this.#transcriber?.write(given.bytes)
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
    this.#transcriber?.dropTurn()
    if (this.#turn) this.#items.forget(this.#turn.itemId)
    this.#turn = undefined
    await this.#options.emit({ type: 'input_audio_buffer.cleared' })
  }

  /** Applies changed settings to the audio that follows. Ends the current turn. */
  restart(): void {
    this.#commit()
    this.#closeTranscriber()
    this.#problem = undefined
  }

  /** Adds a turn without words, of a user who has said nothing since this time. */
  addSilence(startMs: number): void {
    const endMs = this.durationMs
    const times = { audio_start_ms: startMs, audio_end_ms: endMs }
    const turn = { itemId: newId('item'), startMs, endMs, voiceMs: 0 }
    const { emit } = this.#options
    void emit({ type: 'input_audio_buffer.timeout_triggered', ...times, item_id: turn.itemId })
    void this.#items.add({ ...turn, transcript: Promise.resolve({ text: '' }) }, silenceText)
  }

  async close(): Promise<void> {
    this.#closeTranscriber()
    await this.transcribed()
  }

  #closeTranscriber(): void {
    this.#earlierMs = this.durationMs
    this.#transcriber?.close()
    this.#transcriber = undefined
    this.#turn = undefined
  }

  /** @returns whether there was a turn. */
  #commit(): boolean {
    const last = this.#transcriber?.endTurn()
    if (last) this.#turn?.add(last.utterance)
    const turn = this.#endTurn(this.durationMs, last?.silenceMs ?? 0)
    if (turn) void this.#items.add(turn)
    return turn !== undefined
  }

  /** @returns nothing if the client knows the reason. @throws the reason, once. */
  async #tryToOpen(): Promise<TurnTranscriber | undefined> {
    const found = this.#findRecogniser()
    if (!found || this.#problem === 'it does not open') return undefined
    try {
      return await this.#open(found)
    } catch (error) {
      this.#problem = 'it does not open'
      throw error
    }
  }

  /** Also finds one that was installed since the last message. @throws {ServiceError} once, if there is none. */
  #findRecogniser(): FoundModel | undefined {
    const { state, findRecogniser } = this.#options
    try {
      return findRecogniser(state.settings.audio.input.transcription)
    } catch (error) {
      if (this.#problem) return undefined
      this.#problem = 'no recogniser'
      throw error
    }
  }

  #open({ recogniser, model }: FoundModel): Promise<TurnTranscriber> {
    const { state, signal, speechDetector, endOfTurnModel, onPaused, onResumed } = this.#options
    const { format, transcription, turn_detection: detection } = state.settings.audio.input
    const rule = realtimeTurnRule(detection)
    const offsetMs = this.#earlierMs
    const turnsWithWords = new WeakSet<StartedTurn>()
    return createTurnTranscriber({
      sampleRateHertz: format.rate,
      channels: 1,
      encoding: encodingOf[format.type],
      recogniser,
      request: {
        modelId: model.modelId,
        language: transcription?.language,
        prompts: [transcription?.prompt ?? [], transcription?.keywords ?? []].flat(),
        withWords: false,
        isUrgent: true,
        signal,
      },
      rule,
      maxUnfinished,
      speechDetector,
      endOfTurnModel,
      onStart: ({ startMs }) => {
        if (this.#turn) return
        this.#turn = new OpenTurn(offsetMs + startMs, rule.prefixMs)
        if (rule.detectsSpeech) this.#reportStart(this.#turn)
      },
      onInterim: (text, turn) => {
        this.#reportInterim(text, offsetMs + turn.startMs)
        if (!detection || turnsWithWords.has(turn) || !hasSeveralWords(text)) return
        turnsWithWords.add(turn)
        this.#options.onWords()
      },
      onPause(utterance) {
        const words = utterance.then((only) => joinUtterances([only]))
        // Only a session that responds by itself reads them. If the recogniser fails, the turn reports it.
        words.catch(() => {})
        onPaused(words)
      },
      onResume: onResumed,
      onEnd: ({ endMs, silenceMs, utterance }) => {
        this.#turn?.add(utterance)
        if (rule.detectsSpeech) void this.#reportEnd(offsetMs + endMs, silenceMs)
      },
    })
  }

  #reportStart({ itemId: item_id, startMs: audio_start_ms }: OpenTurn): void {
    void this.#options.emit({ type: 'input_audio_buffer.speech_started', audio_start_ms, item_id })
    this.#options.onSpeechStarted()
  }

  #reportInterim(text: string, startMs: number): void {
    // It may be late, from an earlier turn.
    if (!this.#turn || startMs < this.#turn.startMs) return
    this.#items.reportInterim(this.#turn.textWith(text), this.#turn.itemId)
  }

  /** The detector has found the end of the turn. */
  async #reportEnd(endMs: number, silenceMs: number): Promise<void> {
    const turn = this.#endTurn(endMs, silenceMs)
    if (!turn) return
    const { emit, onTurnEnded } = this.#options
    const { itemId: item_id } = turn
    void emit({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: endMs, item_id })
    onTurnEnded(turn, await this.#items.add(turn))
  }

  #endTurn(endMs: number, silenceMs: number): UserTurn | undefined {
    const turn = this.#turn
    this.#turn = undefined
    return turn?.end(endMs, silenceMs)
  }
}
