import { hasSeveralWords } from '@parlando/core/text'
import {
  createTurnTranscriber,
  type EndedTurn,
  type StartedTurn,
  type TurnTranscriber,
} from '../listening/turn-transcriber.ts'
import type { SpeechDetector } from '../listening/turns/detectors.ts'
import type { TurnRule } from '../listening/turns/turn-rule.ts'
import type { FoundModel } from '../recognisers/recogniser-registry.ts'
import { newId } from './server-events.ts'
import { encodingOf, type Format } from './session-settings.ts'

/** A turn of the user that has begun. Times count from the first sample of the session. */
export interface StartedUserTurn {
  /** The id of the item that the turn becomes. */
  itemId: string
  startMs: number
}

/** A turn that has ended. */
export interface UserTurn extends StartedUserTurn {
  endMs: number
  /** How long the user spoke. */
  voiceMs: number
  /** Rejects if the recogniser fails. */
  transcript: Promise<TurnTranscript>
}

/** What a recogniser has understood of a turn. */
export interface TurnTranscript {
  /** Empty if there were no words. */
  text: string
  /** 0…1. Absent if the recogniser does not report it. */
  confidence?: number
}

export interface UserTurnsOptions {
  format: Format
  rule: TurnRule
  /** Helps to find the turns. */
  speechDetector?: SpeechDetector
  /** The length of the session's audio before this. */
  offsetMs: number
  recogniser: FoundModel
  language?: string
  prompt?: string
  signal: AbortSignal
  /** The user has begun to speak. Not called if the client ends the turns. */
  onSpeechStarted(turn: StartedUserTurn): void
  /**
   * The recogniser has certainly understood words: recognisers take the beginning of a noise for a short word. Called at
   * most once for a turn, only if it has interim results.
   */
  onWords(): void
  /** The user has finished. Not called if the client ends the turns. */
  onSpeechStopped(turn: UserTurn): void
}

/** While this many turns, or utterances of a long turn, are being transcribed, the client has to wait. */
const maxUnfinished = 4

/** The turns in the audio of the user, transcribed while they are spoken. */
export class UserTurns {
  readonly #options: UserTurnsOptions
  readonly #turnsWithWords = new WeakSet<StartedTurn>()
  #transcriber!: TurnTranscriber
  /** A turn that the client ends can be longer than an utterance of the recogniser, so it can have several. */
  #current: (StartedUserTurn & { utterances: EndedTurn['utterance'][] }) | undefined

  private constructor(options: UserTurnsOptions) {
    this.#options = options
  }

  static async open(options: UserTurnsOptions): Promise<UserTurns> {
    const turns = new UserTurns(options)
    turns.#transcriber = await turns.#openTranscriber()
    return turns
  }

  /** Whether a turn has begun. */
  get isInTurn(): boolean {
    return this.#current !== undefined
  }

  /** The length of the session's audio so far. */
  get durationMs(): number {
    return this.#options.offsetMs + this.#transcriber.durationMs
  }

  /** Takes audio in pieces of any length. Resolves when the recogniser is not too far behind. */
  append(bytes: Uint8Array): Promise<void> {
    return this.#transcriber.write(bytes)
  }

  /** Ends the current turn because the client wants it. @returns undefined if there is no turn. */
  commit(): UserTurn | undefined {
    const last = this.#transcriber.endTurn()
    if (last) this.#current?.utterances.push(last.utterance)
    return this.#end(this.#transcriber.durationMs, last?.silenceMs ?? 0)
  }

  /** Drops the current turn. */
  clear(): void {
    this.#transcriber.dropTurn()
    this.#current = undefined
  }

  /** Stops the transcription of the current turn and frees memory. Must be called after success and after failure. */
  close(): void {
    this.#transcriber.close()
  }

  #openTranscriber(): Promise<TurnTranscriber> {
    const { format, rule, speechDetector, offsetMs, language, prompt, signal } = this.#options
    const { recogniser, model } = this.#options.recogniser
    const { modelId } = model
    const prompts = prompt ? [prompt] : undefined
    return createTurnTranscriber({
      sampleRateHertz: format.rate,
      channels: 1,
      encoding: encodingOf[format.type],
      recogniser,
      request: { modelId, language, prompts, withWords: false, isUrgent: true, signal },
      rule,
      speechDetector,
      maxUnfinished,
      onStart: ({ startMs }) => {
        if (this.#current) return
        this.#current = { itemId: newId('item'), startMs: offsetMs + startMs, utterances: [] }
        if (rule.detectsSpeech) this.#options.onSpeechStarted(this.#current)
      },
      onInterim: (text, turn) => {
        if (this.#turnsWithWords.has(turn) || !hasSeveralWords(text)) return
        this.#turnsWithWords.add(turn)
        this.#options.onWords()
      },
      onEnd: ({ endMs, silenceMs, utterance }) => {
        this.#current?.utterances.push(utterance)
        const turn = rule.detectsSpeech ? this.#end(endMs, silenceMs) : undefined
        if (turn) this.#options.onSpeechStopped(turn)
      },
    })
  }

  #end(endMs: number, silenceMs: number): UserTurn | undefined {
    if (!this.#current) return undefined
    const { offsetMs, rule } = this.#options
    const { itemId, startMs, utterances } = this.#current
    this.#current = undefined
    const transcript = Promise.all(utterances).then(joinUtterances)
    transcript.catch(() => {})
    const voiceMs = Math.max(0, offsetMs + endMs - silenceMs - startMs - rule.prefixMs)
    return { itemId, startMs, endMs: offsetMs + endMs, voiceMs, transcript }
  }
}

function joinUtterances(utterances: readonly TurnTranscript[]): TurnTranscript {
  const spoken = utterances.filter(({ text }) => text.trim() !== '')
  const confidences = spoken.flatMap(({ confidence }) => confidence ?? [])
  return {
    text: spoken.map(({ text }) => text.trim()).join(' '),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
  }
}
