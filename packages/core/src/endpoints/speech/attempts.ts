import { ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { anySignal } from '../../http/signals.ts'
import type { HttpResponse, StreamControl } from '../../http/transport.ts'
import { createLineReader } from '../../streams/line-reader.ts'
import type { Sink } from '../../streams/sink.ts'
import { readSpeechLine, type SpeechLine } from '../../streams/speech-line.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { readTimestamps } from './timestamps.ts'

const what = 'Speech'
const path = '/tts/v1/voice:stream'

/** Receives the lines of a stream. */
export interface SpeechSink extends Sink<SpeechLine> {
  /** Called for each attempt to which the service responds, before its first line. */
  onResponse(requestId: string): void
}

/**
 * Asks for speech and pushes its lines into the sink. What fails before the first sound and the first times is tried
 * again where that may help, since nobody has heard anything yet.
 * @param call its signal ends it; the sink then hears the signal's reason.
 * @returns what pauses, resumes and closes it; after `close` the sink hears nothing more.
 */
export function startSpeech(
  { transport, options }: EndpointContext,
  body: SpeechRequest,
  sink: SpeechSink,
  call: Call,
): StreamControl {
  const left = new AbortController()
  const signal = anySignal(call.signal, left.signal)
  let control: StreamControl | undefined
  let isPaused = false
  let isOver = false
  let hasBegun = false

  const settle = (report: () => void) => {
    if (isOver) return
    isOver = true
    report()
  }

  const next = (line: SpeechLine) => {
    if (isOver) return
    hasBegun ||= line.audio.length > 0 || hasTimestamps(line)
    sink.next(line)
  }

  const read = (response: HttpResponse) => {
    sink.onResponse(response.requestId)
    return new Promise<void>((resolve, reject) => {
      control = pushLines(response, options.maxLineBytes, { next, end: resolve, error: reject })
      if (isPaused) control.pause()
      if (isOver) control.close()
    })
  }

  const request = { what, method: 'POST', path, body: { json: body } } as const
  const mayRetry = () => !hasBegun && !isOver
  transport.send(request, { ...call, signal }, read, mayRetry).then(
    () => settle(sink.end),
    (error) => settle(() => sink.error(error)),
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
  sink: Sink<SpeechLine>,
): StreamControl {
  const reader = createLineReader({
    maxLineBytes,
    onLine(bytes, start, end) {
      const line = readSpeechLine(bytes, start, end)
      if (line?.problem) throw response.errorOf(line.problem)
      if (line) sink.next(line)
    },
  })
  const fail = (error: unknown) => {
    control.close()
    response.close(error)
    sink.error(withRequestId(error, response.requestId))
  }
  const control = response.pushTo({
    next(bytes) {
      try {
        reader.push(bytes)
      } catch (error) {
        fail(error)
      }
    },
    end() {
      try {
        reader.end()
        sink.end()
      } catch (error) {
        fail(error)
      }
    },
    error: sink.error,
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
