import type { SpeechContextSettings } from '@parlando/core/wire'
import { withChunkHeader } from '../../audio/encoding/file-headers.ts'
import type { SpokenWord } from '../../engines/engine.ts'
import { ServiceError } from '../../errors.ts'
import type { SpeechFacts } from '../../server/observe.ts'
import { toSpeechResult } from '../../speaking/speech-result.ts'
import { addBefore, addText, type SynthesisSettings } from '../../speaking/synthesis-request.ts'
import { synthesize } from '../../speaking/synthesize.ts'
import { createWaitingText } from './waiting-text.ts'

/** One of the texts that a client writes on a socket, with its voice. The methods return at once. */
export interface SpeechContext {
  write(text: string): void
  /** Speaks the waiting text. */
  flush(): void
  /** Flushes, and then ends the context. Resolves when everything is spoken. */
  close(): Promise<void>
  /** Whether text is spoken, or waits for its turn. */
  readonly isSpeaking: boolean
}

export interface SpeechContextOptions {
  settings: SpeechContextSettings
  synthesis: SynthesisSettings
  /** Ends the work, without a message. */
  signal: AbortSignal
  /** Receives what the context has spoken. */
  facts: SpeechFacts
  /** Sends a result of the context. Resolves when the client takes more. */
  send(result: object): Promise<void>
  /** Called with the error that ends the context. */
  onFailure(error: unknown): Promise<void>
}

const maxWaitingCharacters = 100_000

/** Speaks the texts of a context one after the other. Each of them is a synthesis with a header and times of its own. */
export function createSpeechContext(options: SpeechContextOptions): SpeechContext {
  const { settings, synthesis, facts, onFailure } = options
  const { maxBufferDelayMs = 0 } = settings
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const text = createWaitingText(settings)
  let before = ''
  let characters = 0
  let waitingCharacters = 0
  let unspokenParts = 0
  let delay: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()
  signal.addEventListener('abort', () => clearTimeout(delay), { once: true })

  // After its end, nobody knows the context any more, or a new one has the same id.
  const send = async (result: object) => {
    if (!signal.aborted) await options.send(result)
  }
  const fail = async (error: unknown) => {
    if (signal.aborted) return
    failed.abort()
    await onFailure(error)
  }

  const speak = async (part: string) => {
    const request = addText(synthesis, part, { isPart: true, before })
    before = addBefore(before, part)
    waitingCharacters -= part.length
    characters += part.length
    facts.characters += part.length
    let index = 0
    const lateWords: SpokenWord[] = []
    for await (const { audio, words, durationSeconds } of synthesize(request, signal)) {
      facts.audioSeconds += durationSeconds
      const withHeader = withChunkHeader(request.layout, audio, index++)
      if (request.wordsLast) for (const word of words) lateWords.push(word)
      const sent = { audio: withHeader, words: request.wordsLast ? [] : words, characters }
      const warnings =
        index === 1 && request.warnings.length > 0 ? { warnings: request.warnings } : {}
      await send({ audioChunk: { ...toSpeechResult(request, sent), ...warnings } })
    }
    if (lateWords.length > 0) {
      const sent = { audio: new Uint8Array(), words: lateWords, characters }
      await send({ audioChunk: toSpeechResult(request, sent) })
    }
    await send({ flushCompleted: {} })
  }

  const enqueue = (parts: readonly string[]) => {
    for (const part of parts) {
      waitingCharacters += part.length
      unspokenParts++
      work = work
        .then(() => (signal.aborted ? undefined : speak(part)))
        .catch(fail)
        .finally(() => unspokenParts--)
    }
    if (waitingCharacters > maxWaitingCharacters) {
      const message = `sendText.text: more than ${maxWaitingCharacters} characters wait to be spoken`
      void fail(new ServiceError('RESOURCE_EXHAUSTED', message))
    }
  }

  const flush = () => {
    clearTimeout(delay)
    enqueue(text.flush())
  }

  return {
    write(written) {
      // An empty text only shows that the client is still there.
      if (written === '' || signal.aborted) return
      clearTimeout(delay)
      enqueue(text.push(written))
      if (maxBufferDelayMs > 0) delay = setTimeout(flush, maxBufferDelayMs)
    },
    flush,
    get isSpeaking() {
      return unspokenParts > 0
    },
    close() {
      flush()
      return work
    },
  }
}
