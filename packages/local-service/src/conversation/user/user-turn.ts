import { hasSeveralWords } from '@parlando/core/text'
import type { EndedTurn } from '../../listening/turn-transcriber.ts'
import { newId } from '../server-events.ts'

/** A turn of the user that has ended. Times count from the first sample of the session. */
export interface UserTurn {
  /** The id of the item that the turn becomes. */
  itemId: string
  startMs: number
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
  /** The language that was spoken, such as `de`. Absent if the recogniser does not report it. */
  language?: string
}

/**
 * A turn that has begun. One that the client ends can be longer than an utterance of the recogniser, so it can have several.
 */
export class OpenTurn {
  readonly itemId = newId('item')
  readonly startMs: number
  readonly #prefixMs: number
  readonly #utterances: EndedTurn['utterance'][] = []
  /** Of the utterances that are transcribed. */
  readonly #texts: string[] = []

  /** @param prefixMs of the turn precede its voice. */
  constructor(startMs: number, prefixMs: number) {
    this.startMs = startMs
    this.#prefixMs = prefixMs
  }

  add(utterance: EndedTurn['utterance']): void {
    this.#utterances.push(utterance)
    const noteText = ({ text }: TurnTranscript) =>
      void (text.trim() && this.#texts.push(text.trim()))
    utterance.then(noteText, () => {})
  }

  /** The text so far. @param interim of the utterance that is not complete. */
  textWith(interim: string): string {
    return [...this.#texts, interim.trim()].join(' ')
  }

  /** @param silenceMs the silence at its end. */
  end(endMs: number, silenceMs: number): UserTurn {
    const { itemId, startMs } = this
    const voiceMs = Math.max(0, endMs - silenceMs - startMs - this.#prefixMs)
    const transcript = Promise.all(this.#utterances).then(joinUtterances)
    transcript.catch(() => {})
    return { itemId, startMs, endMs, voiceMs, transcript }
  }
}

/** @param utterances of one turn, in order. */
export function joinUtterances(utterances: readonly TurnTranscript[]): TurnTranscript {
  const spoken = utterances.filter(({ text }) => text.trim() !== '')
  const confidences = spoken.flatMap(({ confidence }) => confidence ?? [])
  const language = spoken.findLast((utterance) => utterance.language)?.language
  return {
    text: spoken.map(({ text }) => text.trim()).join(' '),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
    ...(language && { language }),
  }
}

/** A cough takes 300 to 400 ms, and a brief *oh* 540. Only a tenth of spoken words, such as *eight*, are shorter. */
const minVoiceMs = 600
/** The confidence of pocketsphinx in words that it understands in coughs is below. */
const sureConfidence = 0.8
/** In words that it understands in breaths, which are longer, it is below 0.01. */
const guessConfidence = 0.02

/**
 * Words that are a turn by themselves, in the languages of the recognisers. A user who says *stop* must not have to repeat
 * it, no matter how briefly it was said.
 */
const turns = new Set(
  [
    'stop wait no yes quiet enough cancel help',
    'stopp halt warte warten moment nein ja ruhe genug abbrechen hilfe',
    'para alto espera sí basta silencio cancela ayuda',
    'arrête arrêtez attends attendez non oui assez annule aide',
    'fermo ferma fermati aspetta sì zitto zitta silenzio basta annulla aiuto',
    '止めて 止まって やめて 待って いいえ はい',
    '停 停下 停止 等等 不 不要 是 取消',
  ].flatMap((words) => words.normalize('NFC').split(' ')),
)

/**
 * Whether what was said during a response interrupts it. Recognisers take a cough for a short word, and listeners say *oh*
 * or *mm* without wanting to speak.
 */
export function isInterruption(
  { voiceMs }: Pick<UserTurn, 'voiceMs'>,
  { text, confidence }: TurnTranscript,
): boolean {
  if (hasSeveralWords(text)) return true
  // Some models write an accent as a character of its own.
  const word = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]/gu, '')
  if (word === '') return false
  if (turns.has(word)) return true
  if (confidence !== undefined && confidence >= sureConfidence) return true
  const isGuess = confidence !== undefined && confidence < guessConfidence
  return voiceMs >= minVoiceMs && !isGuess
}
