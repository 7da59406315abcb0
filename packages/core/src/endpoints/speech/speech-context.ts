import { InputError } from '../../errors.ts'
import { type Call, purposeOf } from '../../http/call.ts'
import type { ResolvedOptions } from '../../http/options.ts'
import { tookTooLong } from '../../http/response-errors.ts'
import { anySignal } from '../../http/signals.ts'
import type { Socket } from '../../http/socket.ts'
import { TimeLimit } from '../../http/time-limit.ts'
import { unread } from '../../protocol-errors.ts'
import { Relay } from '../../streams/relay.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import { hasSpeakable } from '../../text/speakable.ts'
import type { SpeechWarning } from '../../wire/speech.ts'
import type { SpeechContextSettings } from '../../wire/speech-socket.ts'
import { createContextMessages } from './context-messages.ts'
import type { AudioFormat } from './request.ts'
import { collectSpeech, type SpeechResult } from './result.ts'
import type { ContextResult } from './socket-message.ts'
import { chunkSizeBytes, type SpeechChunk, type SpeechReport } from './source.ts'
import { largerUsage, type SpeechUsage } from './usage.ts'
import { UtteranceAudio } from './utterance-audio.ts'
import { joinWarnings } from './warnings.ts'

/**
 * A text that is spoken while it is written. Write text and, at the same time, read chunks: they are one file, and their
 * timestamps count from its start. The chunks wait for the reader from the first `write` on.
 */
export interface SpeechContext extends Stream<SpeechChunk, SpeechResult>, AudioFormat {
  /** The usage that the service counted so far. */
  readonly usage: SpeechUsage | undefined
  /** What the voice does not speak as expected; complete at the end. */
  readonly warnings: readonly SpeechWarning[]
  /** From the creation of the context to the first audio, in milliseconds; `undefined` until then. */
  readonly firstAudioMs: number | undefined
  /** Seconds of audio received so far. See `SpeechStream`. */
  readonly durationSeconds: number | undefined
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

/** A context as its connection sees it. */
export interface ConnectedContext {
  context: SpeechContext
  /** Whether the reader is far behind. */
  readonly isFull: boolean
  /** Whether the reader has left. */
  readonly isDropped: boolean
  /** Whether the service has the context and still takes text for it. */
  readonly takesText: boolean
  receive(result: ContextResult): void
  fail(error: unknown): void
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
  format: AudioFormat
  call: Call
  options: ResolvedOptions
  connection: ContextConnection
}

/** With so much waiting, a reader is behind. */
const manyChunks = 16
const manyBytes = 1024 * 1024
// Six minutes of PCM at 24 kHz. Only a context whose reader is behind while others read keeps so much.
const maxWaitingBytes = 16 * 1024 * 1024

/** Begins a context. It is created on the connection as soon as that is open. */
export function createSpeechContext(contextOptions: ContextOptions): ConnectedContext {
  const { contextId, settings, format, call, options, connection } = contextOptions
  const what = purposeOf(call, 'Speech')
  const utterance = new UtteranceAudio(format, true, what)
  const report: SpeechReport = {}
  utterance.reports.push(report)
  const leaving = new AbortController()
  const aborts = anySignal(call.signal, call.deadline())
  const timeLimit = new TimeLimit()
  const messages = createContextMessages(contextId, what, { create: settings })
  let socket: Socket | undefined
  let release = () => {}
  let hasText = false
  let isEnding = false
  let isFlushed = false
  let isOver = false

  const finish = (report: () => void) => {
    if (isOver) return
    isOver = true
    timeLimit.end()
    aborts?.removeEventListener('abort', abort)
    leaving.abort()
    release()
    if (!socket) connection.onUnused()
    report()
  }
  const fail = (error: unknown) => finish(() => relay.error(error))

  /** Leaves the context. The service still sends the rest of its audio, which is dropped. */
  const drop = () => {
    finish(() => {
      if (socket && !isEnding) messages.send({ close_context: {} })
    })
    connection.onReaderChange()
  }

  const abort = () => {
    const isLate = !call.signal?.aborted
    if (isLate) relay.error(tookTooLong({ what, requestId: report.requestId }, call))
    drop()
  }

  const relay = new Relay<SpeechChunk>({
    sizeBytes: chunkSizeBytes,
    onDelivered: connection.onReaderChange,
    onClose: drop,
  })
  const joined = utterance.join({
    next(chunk) {
      relay.next(chunk)
      if (relay.waitingBytes <= maxWaitingBytes) return
      relay.error(unread({ what, requestId: report.requestId }, maxWaitingBytes))
      drop()
    },
    end: () => finish(() => relay.end()),
    error: fail,
  })

  /** From the end of the text on, the service must keep sending. */
  const limitWaits = () => {
    if (!socket || !isEnding || isOver) return
    const { waitedTooLong } = socket
    const limitMs = call.firstByteTimeoutMs ?? options.firstByteTimeoutMs
    const isReaderBehind = () => relay.waiting > 0
    timeLimit.start(limitMs, () => waitedTooLong(limitMs), isReaderBehind)
  }
  timeLimit.signal.addEventListener('abort', () => {
    relay.error(timeLimit.signal.reason)
    drop()
  })

  const start = async () => {
    const started = await connection.start(anySignal(aborts, leaving.signal))
    release = started.release
    if (isOver) return release()
    socket = started.socket
    report.requestId = socket.requestId
    messages.open(socket)
    limitWaits()
  }

  const takeText = (text: string) => {
    if (isEnding) throw new InputError(`${what} failed: write was called after end or close`)
    if (isOver) return
    messages.sendText(text)
    hasText ||= hasSpeakable(text)
  }

  const reading = createStream(relay.source, {
    what: 'speech',
    signal: call.signal,
    toBytes: ({ audio }) => audio,
  })
  const close = async () => {
    drop()
    isEnding = true
    await reading.close()
  }
  const context: SpeechContext = Object.assign(utterance, reading, {
    write: takeText,
    flush() {
      if (!isEnding && !isOver) messages.send({ flush_context: {} })
    },
    end() {
      if (isEnding || isOver) return
      isEnding = true
      messages.send({ close_context: {} })
      limitWaits()
    },
    collect: () => collectSpeech(context, what, options.maxResponseBytes),
    close,
    [Symbol.asyncDispose]: close,
  })

  const receive = ({ problem, audio, timestamps, usage, warnings, ...result }: ContextResult) => {
    if (isOver || !socket) return
    timeLimit.renew()
    if (problem) return fail(socket.errorOf(problem))
    report.usage = largerUsage(report.usage, usage)
    report.warnings = joinWarnings([report.warnings, warnings])
    if (audio.length > 0 || timestamps) {
      if (isFlushed) joined.nextPiece()
      isFlushed = false
      joined.next(timestamps ? { audio, timestamps } : { audio })
    }
    isFlushed ||= result.isFlushed
    if (!result.isClosed) return
    if (!isEnding) fail(socket.closedEarly())
    else if (hasText) joined.end()
    else finish(() => relay.end())
  }

  aborts?.addEventListener('abort', abort)
  if (aborts?.aborted) abort()
  start().catch(fail)
  return {
    context,
    get isFull() {
      return relay.waiting >= manyChunks || relay.waitingBytes >= manyBytes
    },
    get isDropped() {
      return isOver
    },
    get takesText() {
      return socket !== undefined && !isEnding && !isOver
    },
    receive,
    fail,
  }
}
