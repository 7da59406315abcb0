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
  /** The texts of the utterances that are transcribed. */
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
