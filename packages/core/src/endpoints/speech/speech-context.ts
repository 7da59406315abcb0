import { InputError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import { tookTooLong } from '../../http/response-errors.ts'
import type { Socket } from '../../http/socket.ts'
import { anySignal, TimeLimit } from '../../http/time-limit.ts'
import { unread } from '../../protocol-errors.ts'
import { Relay } from '../../streams/relay.ts'
import { createStream } from '../../streams/stream.ts'
import type { SpeechContextSettings } from '../../wire/speech-socket-messages.ts'
import type { EndpointContext } from '../response-source.ts'
import type { ContextResult } from './context-result.ts'
import { ContextText } from './context-text.ts'
import { joinWarnings, largerUsage, type SpeechReport } from './speech-report.ts'
import { collectSpeech } from './speech-result.ts'
import type { SpeechStream } from './synthesize-stream.ts'
import {
  chunkSizeBytes,
  formatOf,
  type PieceSink,
  type SpeechChunk,
  UtteranceAudio,
} from './utterance-audio.ts'
import { createWrittenWords, restoreWords } from './written-words.ts'

/**
 * A text that is spoken while it is written. Write text and, at the same time, read chunks: they are one file, and their
 * timestamps count from its start. The chunks wait for the reader from the first `write` on.
 */
export interface SpeechContext extends SpeechStream {
  /** From the creation of the context to the first audio, in milliseconds; `undefined` until then. */
  readonly firstAudioMs: number | undefined
  /**
   * Adds text. The settings of the context decide when the service speaks it: see `bufferCharThreshold`, `maxBufferDelayMs`
   * and `autoMode`. Has no effect once the context has failed; the reader gets the error.
   * @throws {InputError} after `end` and `close`, and when a million characters are waiting to be sent.
   */
  write(text: string): void
  /** Lets the service speak everything that was written. Call it where a speaker would pause: each part is spoken on its own. */
  flush(): void
  /**
   * Ends the text. The service speaks the rest, and then the stream ends. It must send each message within
   * `firstByteTimeoutMs`.
   */
  end(): void
  /** Ends the context and drops its audio. The connection stays open. */
  close(): Promise<void>
}

/** The connection of a context. */
export interface ContextConnection {
  /** Waits until the socket is open and the call may run. @returns the socket, and a function that ends the call. */
  start(signal: AbortSignal | undefined): Promise<{ socket: Socket; release(): void }>
  /** Called when the reader has caught up, or has left. */
  onReaderChange(): void
  /** Called at the end of a context of which the service knows nothing. */
  onUnused(): void
}

interface ContextOptions {
  contextId: string
  settings: SpeechContextSettings
  call: Call
  context: Pick<EndpointContext, 'options' | 'pronunciations'>
  connection: ContextConnection
}

/** With this much waiting, a reader is behind. */
const manyChunks = 16
const manyBytes = 1024 * 1024
// Six minutes of PCM at 24 kHz. Only a context whose reader is behind while others read keeps so much.
const maxWaitingBytes = 16 * 1024 * 1024

/** A context as its connection sees it: what the service sends for it, and whether its reader keeps up. */
export class ContextReader {
  readonly utterance: UtteranceAudio
  readonly text: ContextText
  readonly relay: Relay<SpeechChunk>
  readonly #report: SpeechReport = {}
  readonly #call: Call
  readonly #limitMs: number
  readonly #connection: ContextConnection
  readonly #joined: PieceSink
  readonly #leaving = new AbortController()
  readonly #aborts: AbortSignal | undefined
  readonly #timeLimit = new TimeLimit()
  #socket: Socket | undefined
  #release = () => {}
  #isFlushed = false
  #isOver = false

  constructor({ contextId, settings, call, context, connection }: ContextOptions) {
    const { options, pronunciations } = context
    const words = createWrittenWords(settings, pronunciations)
    this.#call = call
    this.#limitMs = call.firstByteTimeoutMs ?? options.firstByteTimeoutMs
    this.#connection = connection
    this.text = new ContextText({
      contextId,
      what: call.what,
      settings,
      pronunciations,
      words,
    })
    this.utterance = new UtteranceAudio(formatOf(settings.audioConfig), true, call.what)
    this.utterance.reports.push(this.#report)
    this.relay = new Relay<SpeechChunk>({
      sizeBytes: chunkSizeBytes,
      onDelivered: connection.onReaderChange,
      onClose: () => this.drop(),
    })
    const sink = restoreWords(
      {
        next: (chunk) => this.#add(chunk),
        end: () => this.#finish(() => this.relay.end()),
        error: (error) => this.fail(error),
      },
      words,
    )
    this.#joined = this.utterance.join(sink)
    const { signal } = this.#timeLimit
    signal.addEventListener('abort', () => this.#leave(signal.reason))
    this.#aborts = anySignal(call.signal, call.deadline())
    this.#aborts?.addEventListener('abort', this.#abort)
  }

  /** Creates the context on the connection as soon as that is open. */
  begin() {
    if (this.#aborts?.aborted) return this.#abort()
    this.#start().catch((error) => this.fail(error))
  }

  /** Whether the reader is far behind. */
  get isFull(): boolean {
    return this.relay.waiting >= manyChunks || this.relay.waitingBytes >= manyBytes
  }

  /** Whether the reader has left. */
  get isDropped(): boolean {
    return this.#isOver
  }

  /** Whether the service has the context and still takes text for it. */
  get takesText(): boolean {
    return this.#socket !== undefined && !this.text.isEnded && !this.#isOver
  }

  receive({ problem, audio, timestamps, usage, warnings, ...result }: ContextResult) {
    if (this.#isOver || !this.#socket) return
    this.#timeLimit.renew()
    if (problem) return this.fail(this.#socket.errorOf(problem))
    const report = this.#report
    report.usage = largerUsage(report.usage, usage)
    report.warnings = joinWarnings([report.warnings, warnings])
    if (audio.length > 0 || timestamps) {
      if (this.#isFlushed) this.#joined.nextPiece()
      this.#isFlushed = false
      this.#joined.next(timestamps ? { audio, timestamps } : { audio })
    }
    this.#isFlushed ||= result.isFlushed
    if (!result.isClosed) return
    if (!this.text.isEnded) this.fail(this.#socket.closedEarly())
    else if (this.text.hasText) this.#joined.end()
    else this.#finish(() => this.relay.end())
  }

  fail(error: unknown): void {
    this.#finish(() => this.relay.error(error))
  }

  /** Leaves the context. The service still sends the rest of its audio, which is dropped. */
  drop(): void {
    this.#finish(() => {
      if (this.#socket && !this.text.isEnded) this.text.leave()
    })
    this.#connection.onReaderChange()
  }

  /** From the end of the text on, the service must keep sending. */
  limitWaits(): void {
    const socket = this.#socket
    if (!socket || !this.text.isEnded || this.#isOver) return
    const isReaderBehind = () => this.relay.waiting > 0
    this.#timeLimit.start(this.#limitMs, () => socket.waitedTooLong(this.#limitMs), isReaderBehind)
  }

  async #start(): Promise<void> {
    const started = await this.#connection.start(anySignal(this.#aborts, this.#leaving.signal))
    this.#release = started.release
    if (this.#isOver) return started.release()
    this.#socket = started.socket
    this.#report.requestId = started.socket.requestId
    this.text.open(started.socket)
    this.limitWaits()
  }

  #add(chunk: SpeechChunk): void {
    this.relay.next(chunk)
    if (this.relay.waitingBytes <= maxWaitingBytes) return
    const { what } = this.#call
    this.#leave(unread({ what, requestId: this.#report.requestId }, maxWaitingBytes))
  }

  readonly #abort = () => {
    if (this.#call.signal?.aborted) this.drop()
    else this.#leave(tookTooLong(this.#call, this.#report.requestId))
  }

  /** The reader gets the error after the chunks that wait. */
  #leave(error: unknown): void {
    this.relay.error(error)
    this.drop()
  }

  #finish(report: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#timeLimit.end()
    this.#aborts?.removeEventListener('abort', this.#abort)
    this.#leaving.abort()
    this.#release()
    if (!this.#socket) this.#connection.onUnused()
    report()
  }
}

/** The context of a reader, for the caller. */
export function createSpeechContext(
  reader: ContextReader,
  { what, signal }: Call,
  maxResponseBytes: number,
): SpeechContext {
  const { text } = reader
  const reading = createStream(reader.relay.source, {
    what: 'speech',
    signal,
    toBytes: ({ audio }) => audio,
  })
  let isClosed = false
  const close = async () => {
    reader.drop()
    isClosed = true
    await reading.close()
  }
  const takesText = () => !isClosed && !text.isEnded && !reader.isDropped
  const context: SpeechContext = Object.assign(reader.utterance, reading, {
    write(written: string) {
      if (isClosed || text.isEnded) {
        throw new InputError(`${what} failed: write was called after end or close`)
      }
      if (!reader.isDropped) text.write(written)
    },
    flush() {
      if (takesText()) text.flush()
    },
    end() {
      if (!takesText()) return
      text.end()
      reader.limitWaits()
    },
    collect: () => collectSpeech(context, what, maxResponseBytes),
    close,
    [Symbol.asyncDispose]: close,
  })
  return context
}
