import type { SpeechContextSettings } from '@parlando/core/wire'
import { withChunkHeader } from '../../../audio/encoding/file-headers.ts'
import type { SpokenWord } from '../../../engines/engine.ts'
import { ServiceError } from '../../../errors/service-error.ts'
import type { SpeechFacts } from '../../../server/observability/finished-request.ts'
import type { RequestTrace } from '../../../server/observability/request-trace.ts'
import { toSpeechResult } from '../../../speaking/speech-result.ts'
import { addBefore, addText, type SynthesisSettings } from '../../../speaking/synthesis-request.ts'
import { synthesizeText } from '../../../speaking/synthesize-text.ts'
import { createWaitingText, type WaitingText } from './waiting-text.ts'

export interface SpeechContextOptions {
  settings: SpeechContextSettings
  synthesis: SynthesisSettings
  /** The trace of the socket. Absent if nobody traces it. */
  trace?: RequestTrace | undefined
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

/**
 * A text that a client writes on a socket, with its voice. Its parts are spoken one after the other; each of them is a
 * synthesis with a header and times of its own. The methods return at once.
 */
export class SpeechContext {
  readonly #options: SpeechContextOptions
  readonly #failed = new AbortController()
  readonly #signal: AbortSignal
  readonly #text: WaitingText
  #before = ''
  #characters = 0
  #waitingCharacters = 0
  #unspokenParts = 0
  #delay: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(options: SpeechContextOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#failed.signal])
    this.#text = createWaitingText(options.settings)
    this.#signal.addEventListener('abort', () => clearTimeout(this.#delay), { once: true })
  }

  /** Whether text is spoken, or waits for its turn. */
  get isSpeaking(): boolean {
    return this.#unspokenParts > 0
  }

  write(written: string): void {
    // An empty text only shows that the client is still there.
    if (written === '' || this.#signal.aborted) return
    const { maxBufferDelayMs = 0 } = this.#options.settings
    clearTimeout(this.#delay)
    this.#enqueue(this.#text.push(written))
    if (maxBufferDelayMs > 0) this.#delay = setTimeout(() => this.flush(), maxBufferDelayMs)
  }

  /** Speaks the waiting text. */
  flush(): void {
    clearTimeout(this.#delay)
    this.#enqueue(this.#text.flush())
  }

  /** Flushes, and then ends the context. Resolves when everything is spoken. */
  close(): Promise<void> {
    this.flush()
    return this.#work
  }

  #enqueue(parts: readonly string[]): void {
    for (const part of parts) {
      this.#waitingCharacters += part.length
      this.#unspokenParts++
      this.#work = this.#work
        .then(() => (this.#signal.aborted ? undefined : this.#speak(part)))
        .catch((error) => this.#fail(error))
        .finally(() => this.#unspokenParts--)
    }
    if (this.#waitingCharacters > maxWaitingCharacters) {
      const message = `sendText.text: more than ${maxWaitingCharacters} characters wait to be spoken`
      void this.#fail(new ServiceError('RESOURCE_EXHAUSTED', message))
    }
  }

  async #speak(part: string): Promise<void> {
    const { synthesis, trace, facts } = this.#options
    const text = addText(synthesis, part, { isPart: true, before: this.#before })
    const request = { ...text, isContinued: this.#characters > 0 }
    this.#before = addBefore(this.#before, part)
    this.#waitingCharacters -= part.length
    this.#characters += part.length
    facts.characters += part.length
    const characters = this.#characters
    let index = 0
    const lateWords: SpokenWord[] = []
    const chunks = synthesizeText(request, trace, this.#signal)
    for await (const { audio, words, durationSeconds } of chunks) {
      facts.audioSeconds += durationSeconds
      const withHeader = withChunkHeader(request.layout, audio, index++)
      if (request.wordsLast) for (const word of words) lateWords.push(word)
      const sent = { audio: withHeader, words: request.wordsLast ? [] : words, characters }
      const warnings =
        index === 1 && request.warnings.length > 0 ? { warnings: request.warnings } : {}
      await this.#send({ audioChunk: { ...toSpeechResult(request, sent), ...warnings } })
    }
    if (lateWords.length > 0) {
      const sent = { audio: new Uint8Array(), words: lateWords, characters }
      await this.#send({ audioChunk: toSpeechResult(request, sent) })
    }
    await this.#send({ flushCompleted: {} })
  }

  /** After its end, nobody knows the context any more, or a new one has the same id. */
  async #send(result: object): Promise<void> {
    if (!this.#signal.aborted) await this.#options.send(result)
  }

  async #fail(error: unknown): Promise<void> {
    if (this.#signal.aborted) return
    this.#failed.abort()
    await this.#options.onFailure(error)
  }
}
