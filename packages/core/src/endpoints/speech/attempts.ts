import { ProtocolError } from '../../errors.ts'
import { type BegunCall, beginCall } from '../../http/call-options.ts'
import { createAttempts } from '../../http/retry.ts'
import { anySignal } from '../../http/signals.ts'
import type { HttpResponse, StreamControl, Transport } from '../../http/transport.ts'
import type { ResolvedOptions } from '../../options.ts'
import { createLineReader } from '../../streams/line-reader.ts'
import { readSpeechLine, type SpeechLine } from '../../streams/speech-line.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import { readTimestamps } from './timestamps.ts'

const what = 'Speech'
const path = '/tts/v1/voice:stream'

/** Hears what a stream says, in order: lines, then exactly one of end and error. */
export interface SpeechSink {
  onResponse(requestId: string): void
  onLine(line: SpeechLine): void
  onEnd(): void
  onError(error: unknown): void
}

/**
 * Asks for speech and pushes its lines into the sink. What fails before the first sound and the first times is tried
 * again where that may help, since nobody has heard anything yet.
 * @param newCall its signal ends it; the sink then hears the signal's reason.
 * @returns what pauses, resumes and closes it; after `close` the sink hears nothing more.
 */
export function startSpeech(
  transport: Transport,
  options: ResolvedOptions,
  body: SpeechRequest,
  sink: SpeechSink,
  newCall: BegunCall = {},
): StreamControl {
  const left = new AbortController()
  const signal = anySignal(newCall.signal, left.signal)
  const call = beginCall({ ...newCall, what, signal }, options)
  const attempts = createAttempts(options, call, transport.closing)
  let control: StreamControl | undefined
  let isPaused = false
  let isOver = false
  let hasBegun = false

  const settle = (report: () => void) => {
    if (isOver) return
    isOver = true
    report()
  }

  const onLine = (line: SpeechLine) => {
    if (isOver) return
    hasBegun ||= line.audio.length > 0 || hasTimestamps(line)
    sink.onLine(line)
  }

  const attempt = async (): Promise<void> => {
    const response = await transport.sendOnce({ ...call, method: 'POST', path, body })
    sink.onResponse(response.requestId)
    await new Promise<void>((resolve, reject) => {
      control = pushLines(response, options.maxLineBytes, {
        onLine,
        onEnd: resolve,
        onError: reject,
      })
      if (isPaused) control.pause()
      if (isOver) control.close()
    })
  }

  const run = async (): Promise<void> => {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (hasBegun || isOver) throw error
        await attempts.afterFailure(error)
      }
    }
  }

  run().then(
    () => settle(sink.onEnd),
    (error) => settle(() => sink.onError(error)),
  )

  return {
    pause() {
      isPaused = true
      control?.pause()
    },
    resume() {
      isPaused = false
      control?.resume()
    },
    close() {
      isOver = true
      left.abort()
      control?.close()
    },
  }
}

function hasTimestamps({ facts }: SpeechLine): boolean {
  return readTimestamps(facts?.['timestampInfo']) !== undefined
}

/** Reads the lines of an answer; the first thing that goes wrong ends it and closes the connection. */
function pushLines(
  response: HttpResponse,
  maxLineBytes: number,
  sink: { onLine(line: SpeechLine): void; onEnd(): void; onError(error: unknown): void },
): StreamControl {
  const reader = createLineReader({
    maxLineBytes,
    onLine(bytes, start, end) {
      const line = readSpeechLine(bytes, start, end)
      if (line?.problem) throw response.errorOf(line.problem)
      if (line) sink.onLine(line)
    },
  })
  const fail = (error: unknown) => {
    control.close()
    response.close(error)
    sink.onError(withRequestId(error, response.requestId))
  }
  const control = response.listen({
    onBytes(bytes) {
      try {
        reader.push(bytes)
      } catch (error) {
        fail(error)
      }
    },
    onEnd() {
      try {
        reader.end()
        sink.onEnd()
      } catch (error) {
        fail(error)
      }
    },
    onError: sink.onError,
  })
  return control
}

/** Readers of bytes know nothing of requests. */
function withRequestId(error: unknown, requestId: string): unknown {
  if (!(error instanceof ProtocolError) || error.requestId) return error
  return new ProtocolError(error.message, {
    code: error.code as 'BAD_RESPONSE',
    requestId,
  })
}
