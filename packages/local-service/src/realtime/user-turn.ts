import { hasUnspacedScript } from '@parlando/core/text'
import type { FoundModel } from '../recognisers/registry.ts'
import { createTurnRecognition, type TurnRecognition } from '../transcription/turn-recognition.ts'
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
  /** Rejects if the recogniser fails. Empty if it found no words. */
  transcript: Promise<string>
}

/** The transcription of a turn while it is spoken. */
export interface UserTurn extends StartedTurn {
  write(samples: Int16Array): void
  /** Continues the turn in another utterance: a recogniser takes only 30 s at once. */
  splitUtterance(): void
  /** @param silenceMs the silence at the end of the turn. */
  end(endMs: number, silenceMs: number): EndedTurn
  /** Stops the transcription. */
  cancel(): void
}

export interface UserTurnOptions {
  recogniser: FoundModel
  language?: string
  prompt?: string
  signal: AbortSignal
  /**
   * The recogniser has certainly understood words: recognisers take the beginning of a noise for a short word. Called at
   * most once, only if it has interim results.
   */
  onWords(turn: StartedTurn): void
}

export function startUserTurn(startMs: number, options: UserTurnOptions): UserTurn {
  const { recogniser, language, prompt, onWords } = options
  const started = { itemId: newId('item'), startMs }
  const cancelling = new AbortController()
  const signal = AbortSignal.any([options.signal, cancelling.signal])
  const utterances: Promise<string>[] = []
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
  const endUtterance = (silenceMs: number) => {
    const ending = recognition
    if (!ending) return
    recognition = undefined
    const text = written.then(async () => (await ending.end(silenceMs)).text.trim())
    // The caller of `end` gets the failure.
    text.catch(() => {})
    utterances.push(text)
    written = Promise.resolve()
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
      const transcript = Promise.all(utterances).then((texts) =>
        texts.filter((text) => text !== '').join(' '),
      )
      transcript.catch(() => {})
      return { ...started, endMs, transcript }
    },
    cancel: () => cancelling.abort(),
  }
}

const minUnspacedCharacters = 4

function hasSeveralWords(text: string): boolean {
  const trimmed = text.trim()
  return /\s/.test(trimmed) || (hasUnspacedScript(text) && trimmed.length >= minUnspacedCharacters)
}
