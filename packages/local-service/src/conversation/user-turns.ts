import { hasSeveralWords } from '@parlando/core/text'
import {
  createTurnTranscriber,
  type EndedTurn,
  type StartedTurn,
} from '../listening/turn-transcriber.ts'
import type { SpeechDetector } from '../listening/turns/detectors.ts'
import type { TurnRule } from '../listening/turns/turn-rule.ts'
import type { FoundModel } from '../recognisers/registry.ts'
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
  transcript: Promise<Transcript>
}

/** What a recogniser has understood of a turn. */
export interface Transcript {
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

/** The turns in the audio of the user, transcribed while they are spoken. */
export interface UserTurns {
  /** Takes audio in pieces of any length. Resolves when the recogniser is not too far behind. */
  append(bytes: Uint8Array): Promise<void>
  /** Ends the current turn because the client wants it. @returns undefined if there is no turn. */
  commit(): UserTurn | undefined
  /** Drops the current turn. */
  clear(): void
  /** Whether a turn has begun. */
  readonly isInTurn: boolean
  /** The length of the session's audio so far. */
  readonly durationMs: number
  /** Stops the transcription of the current turn and frees memory. Must be called after success and after failure. */
  close(): void
}

/** While this many turns, or utterances of a long turn, are being transcribed, the client has to wait. */
const maxUnfinished = 4

export async function openUserTurns(options: UserTurnsOptions): Promise<UserTurns> {
  const { format, rule, speechDetector, offsetMs, language, prompt, signal } = options
  const { recogniser, model } = options.recogniser
  const turnsWithWords = new WeakSet<StartedTurn>()
  /** A turn that the client ends can be longer than an utterance of the recogniser, so it can have several. */
  let current: (StartedUserTurn & { utterances: EndedTurn['utterance'][] }) | undefined

  const end = (endMs: number, silenceMs: number): UserTurn | undefined => {
    if (!current) return undefined
    const { itemId, startMs, utterances } = current
    current = undefined
    const transcript = Promise.all(utterances).then(joinUtterances)
    transcript.catch(() => {})
    const voiceMs = Math.max(0, offsetMs + endMs - silenceMs - startMs - rule.prefixMs)
    return { itemId, startMs, endMs: offsetMs + endMs, voiceMs, transcript }
  }
  const { modelId } = model
  const prompts = prompt ? [prompt] : undefined
  const transcriber = await createTurnTranscriber({
    sampleRateHertz: format.rate,
    channels: 1,
    encoding: encodingOf[format.type],
    recogniser,
    request: { modelId, language, prompts, withWords: false, isUrgent: true, signal },
    rule,
    speechDetector,
    maxUnfinished,
    onStart({ startMs }) {
      if (current) return
      current = { itemId: newId('item'), startMs: offsetMs + startMs, utterances: [] }
      if (rule.detectsSpeech) options.onSpeechStarted(current)
    },
    onInterim(text, turn) {
      if (turnsWithWords.has(turn) || !hasSeveralWords(text)) return
      turnsWithWords.add(turn)
      options.onWords()
    },
    onEnd({ endMs, silenceMs, utterance }) {
      current?.utterances.push(utterance)
      const turn = rule.detectsSpeech ? end(endMs, silenceMs) : undefined
      if (turn) options.onSpeechStopped(turn)
    },
  })

  return {
    append: transcriber.write,
    commit() {
      const last = transcriber.endTurn()
      if (last) current?.utterances.push(last.utterance)
      return end(transcriber.durationMs, last?.silenceMs ?? 0)
    },
    clear() {
      transcriber.dropTurn()
      current = undefined
    },
    get isInTurn() {
      return current !== undefined
    },
    get durationMs() {
      return offsetMs + transcriber.durationMs
    },
    close: transcriber.close,
  }
}

function joinUtterances(utterances: readonly Transcript[]): Transcript {
  const spoken = utterances.filter(({ text }) => text.trim() !== '')
  const confidences = spoken.flatMap(({ confidence }) => confidence ?? [])
  return {
    text: spoken.map(({ text }) => text.trim()).join(' '),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
  }
}
