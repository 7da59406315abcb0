import { hasSeveralWords } from '@parlando/core/text'
import { createTurnRecognition, type TurnRecognition } from '../listening/turn-recognition.ts'
import type { FoundModel } from '../recognisers/registry.ts'
import { newId } from './new-id.ts'

/** A turn of the user that has begun. Times count from the first sample of the session. */
export interface StartedTurn {
  /** The id of the item that the turn becomes. */
  itemId: string
  startMs: number
}

/** A turn that has ended. */
export interface EndedTurn extends StartedTurn {
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

/** The transcription of a turn while it is spoken. */
export interface UserTurn extends StartedTurn {
  write(samples: Int16Array): void
  /**
   * Continues the turn in another utterance: a recogniser takes only 30 s at once.
   * @returns the words of the utterance that has ended.
   */
  splitUtterance(): Promise<Transcript> | undefined
  /** @param silenceMs the silence at the end of the turn. */
  end(endMs: number, silenceMs: number): EndedTurn
  /** Stops the transcription. */
  cancel(): void
}

export interface UserTurnOptions {
  recogniser: FoundModel
  language?: string
  prompt?: string
  /** How much sound before the voice belongs to a turn. */
  prefixMs: number
  signal: AbortSignal
  /**
   * The recogniser has certainly understood words: recognisers take the beginning of a noise for a short word. Called at
   * most once, only if it has interim results.
   */
  onWords(turn: StartedTurn): void
}

export function startUserTurn(startMs: number, options: UserTurnOptions): UserTurn {
  const { recogniser, language, prompt, prefixMs, onWords } = options
  const started = { itemId: newId('item'), startMs }
  const cancelling = new AbortController()
  const signal = AbortSignal.any([options.signal, cancelling.signal])
  const utterances: Promise<Transcript>[] = []
  let hasWords = false
  let recognition: TurnRecognition | undefined
  /** The last write. The recogniser gets the samples in order; a turn has at most a megabyte of them. */
  let written: Promise<void> = Promise.resolve()

  const onInterim = (text: string) => {
    if (hasWords || !hasSeveralWords(text)) return
    hasWords = true
    onWords(started)
  }
  const openUtterance = () =>
    createTurnRecognition(recogniser.recogniser, {
      modelId: recogniser.model.modelId,
      language,
      prompts: prompt ? [prompt] : undefined,
      withWords: false,
      isUrgent: true,
      signal,
      onInterim,
    })
  const endUtterance = (silenceMs: number): Promise<Transcript> | undefined => {
    const ending = recognition
    if (!ending) return undefined
    recognition = undefined
    const transcript = written.then(async () => {
      const { text, confidence } = await ending.end(silenceMs)
      return { text: text.trim(), confidence }
    })
    // The caller of `end` gets the failure.
    transcript.catch(() => {})
    utterances.push(transcript)
    written = Promise.resolve()
    return transcript
  }

  return {
    ...started,
    write(samples) {
      recognition ??= openUtterance()
      const current = recognition
      written = written.then(() => current.write(samples))
      written.catch(() => {})
    },
    splitUtterance: () => endUtterance(0),
    end(endMs, silenceMs) {
      endUtterance(silenceMs)
      const transcript = Promise.all(utterances).then(join)
      transcript.catch(() => {})
      const voiceMs = Math.max(0, endMs - silenceMs - startMs - prefixMs)
      return { ...started, endMs, voiceMs, transcript }
    },
    cancel: () => cancelling.abort(),
  }
}

function join(parts: readonly Transcript[]): Transcript {
  const withWords = parts.filter(({ text }) => text !== '')
  const confidences = withWords.flatMap(({ confidence }) => confidence ?? [])
  return {
    text: withWords.map(({ text }) => text).join(' '),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
  }
}
