import { firstCharacters, languageOf, lookUpLanguage } from '@parlando/core/text'
import { EngineError } from '../../errors/engine-error.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { problemText } from '../../remote/read-response.ts'
import { audioFormat, type WyomingMessage } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { cleanTranscript } from '../clean-transcript.ts'
import {
  limitUtterance,
  type RecognisedUtterance,
  type Recognition,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recogniser.ts'
import { readHeardLanguage } from '../whisper-languages.ts'

const maxTranscriptCharacters = 100_000
const format = audioFormat(recogniserRateHertz)

interface UtteranceOptions {
  address: string
  timeLimitMs: number
  request: RecognitionRequest
  /** Aborted when the recogniser is closed. */
  closing: AbortSignal
}

/** An utterance with its connection. Its failures become errors of the engine. */
export class WyomingUtterance {
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>
  readonly #options: UtteranceOptions
  readonly #limit = new AbortController()
  readonly #ending: AbortSignal
  #connection: WyomingConnection | undefined
  #timer: NodeJS.Timeout | undefined
  #resolveEnded = () => {}

  constructor(options: UtteranceOptions) {
    const { request, closing } = options
    this.#options = options
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve))
    this.#ending = AbortSignal.any([request.signal, closing, this.#limit.signal])
    this.#ending.addEventListener('abort', this.#finish, { once: true })
  }

  /** @param languages that the program knows. */
  open(
    connect: (signal: AbortSignal) => Promise<WyomingConnection>,
    languages: readonly string[],
  ): Promise<Recognition> {
    const { request, timeLimitMs } = this.#options
    return this.#attempt(async () => {
      const connection = await connect(this.#ending)
      this.#connection = connection
      this.#ending.throwIfAborted()
      const { write, end } = await startUtterance(connection, request, languages)
      return {
        write: (samples) => this.#attempt(() => write(samples)),
        end: () => {
          this.#timer = setTimeout(() => this.#limit.abort(), timeLimitMs)
          return this.#attempt(end).finally(this.#finish)
        },
      }
    })
  }

  /** Converts the failure of a step. */
  async #attempt<Result>(step: () => Promise<Result>): Promise<Result> {
    const { address, timeLimitMs, request, closing } = this.#options
    try {
      return await step()
    } catch (error) {
      this.#finish()
      request.signal.throwIfAborted()
      if (error instanceof EngineError) throw error
      if (this.#limit.signal.aborted) {
        const message = `The Wyoming server, ${address}, took longer than ${timeLimitMs / 1000} s`
        throw new EngineError('timeout', message)
      }
      const reason = closing.aborted ? 'the service is stopping' : messageOf(error)
      const message = `The Wyoming server, ${address}, failed: ${reason}. Check that it runs`
      // As a response it is not logged: a server may repeat in its error what was said.
      const response = new ServiceError('UNAVAILABLE', message)
      throw new EngineError('unavailable', message, { cause: error, response })
    }
  }

  readonly #finish = () => {
    clearTimeout(this.#timer)
    // A signal with a listener would be kept as long as those that it combines.
    this.#ending.removeEventListener('abort', this.#finish)
    this.#connection?.destroy()
    this.#resolveEnded()
  }
}

async function startUtterance(
  connection: WyomingConnection,
  { language, prompts, onInterim }: RecognitionRequest,
  languages: readonly string[],
): Promise<Recognition> {
  const result = readResult(connection, { onInterim })
  // It may fail before it is awaited.
  result.catch(() => {})
  let isComplete = false
  void result.finally(() => (isComplete = true)).catch(() => {})
  // A server that detects the end of speech itself may close the connection early. Otherwise the result says why it
  // was closed.
  const send = async (event: WyomingMessage) => {
    await (isComplete ? result : connection.send(event).catch(() => result))
  }
  const terms = prompts?.length ? { transcript_terms: prompts } : {}
  const spoken = language && toServerLanguage(language, languages)
  await send({ type: 'transcribe', data: { ...(spoken && { language: spoken }), ...terms } })
  await send({ type: 'audio-start', data: { ...format, timestamp: 0 } })
  let sent = 0
  const timestamp = () => Math.round((1000 * sent) / recogniserRateHertz)
  return {
    async write(samples) {
      if (samples.length === 0) return
      limitUtterance(sent + samples.length)
      const { buffer, byteOffset, byteLength } = samples
      const payload = new Uint8Array(buffer, byteOffset, byteLength)
      const data = { ...format, timestamp: timestamp() }
      sent += samples.length
      await send({ type: 'audio-chunk', data, payload })
    },
    async end() {
      await send({ type: 'audio-stop', data: { timestamp: timestamp() } })
      return result
    },
  }
}

/** The spelling that the server uses: it may know only `en`, or `en-US`, or `en_US`. */
function toServerLanguage(language: string, known: readonly string[]): string | undefined {
  if (/^auto/i.test(language)) return undefined
  return lookUpLanguage(language, known, (code) => [code]) ?? languageOf(language)
}

/** The message of an error, or of the errors for several addresses of a host. */
function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || 'unknown'
}

/**
 * Reads the events of a server up to the transcript. Unknown events are ignored.
 * @throws {Error} if the server reports an error or closes the connection first.
 */
async function readResult(
  { events }: WyomingConnection,
  { onInterim }: { onInterim: ((text: string) => void) | undefined },
): Promise<RecognisedUtterance> {
  let soFar = ''
  for await (const { type, data } of events) {
    const { text } = data
    if (type === 'error') throw new Error(`it reports an error: ${problemText({ message: text })}`)
    if (typeof text !== 'string') continue
    if (type === 'transcript') {
      const language = readHeardLanguage(data.language)
      const cleaned = cleanTranscript(firstCharacters(text, maxTranscriptCharacters))
      return { text: cleaned, ...(language && { language }) }
    }
    if (type !== 'transcript-chunk') continue
    soFar = firstCharacters(soFar + text, maxTranscriptCharacters)
    onInterim?.(soFar.trim())
  }
  throw new Error('it closed the connection without a transcript')
}
