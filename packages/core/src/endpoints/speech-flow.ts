import { ProtocolError } from '../errors.ts'
import { createLineReader } from '../line-reader.ts'
import type { ResolvedOptions } from '../options.ts'
import { readSpeechLine, type SpeechLine } from '../speech-line.ts'
import type { Answer, Flow, Transport } from '../transport.ts'
import type { SpeechRequest } from '../wire/speech.ts'

/** Hears what a stream says, in order: lines, then exactly one of end and error. */
export interface SpeechSink {
  onAnswer(requestId: string): void
  onLine(line: SpeechLine): void
  onEnd(): void
  onError(error: unknown): void
}

/**
 * Asks for speech and pushes its lines into the sink.
 * @param signal ends it; the sink then hears the signal's reason.
 * @returns what pauses, resumes and closes it; after `close` the sink hears nothing more.
 */
export function startSpeech(
  transport: Transport,
  options: ResolvedOptions,
  body: SpeechRequest,
  sink: SpeechSink,
  signal?: AbortSignal,
): Flow {
  const left = new AbortController()
  let flow: Flow | undefined
  let isPaused = false
  let isOver = false

  const fail = (error: unknown) => {
    if (isOver) return
    isOver = true
    flow?.close()
    sink.onError(error)
  }

  const listen = (answer: Answer) => {
    sink.onAnswer(answer.requestId)
    const onLine = (bytes: Buffer, start: number, end: number) => {
      const line = readSpeechLine(bytes, start, end)
      if (!line || isOver) return
      if (line.problem) throw answer.errorOf(line.problem)
      sink.onLine(line)
    }
    const reader = createLineReader({ maxLineBytes: options.maxLineBytes, onLine })
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        fail(withRequestId(error, answer.requestId))
      }
    }
    flow = answer.listen({
      onBytes: (bytes) => guarded(() => reader.push(bytes)),
      onEnd: () =>
        guarded(() => {
          reader.end()
          if (isOver) return
          isOver = true
          sink.onEnd()
        }),
      onError: fail,
    })
    if (isPaused) flow.pause()
  }

  const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal
  transport
    .send({ what: 'Speech', method: 'POST', path: '/tts/v1/voice:stream', body, signal: either })
    .then(listen)
    .catch(fail)

  return {
    pause() {
      isPaused = true
      flow?.pause()
    },
    resume() {
      isPaused = false
      flow?.resume()
    },
    close() {
      isOver = true
      left.abort()
      flow?.close()
    },
  }
}

/** Readers of bytes know nothing of requests. */
function withRequestId(error: unknown, requestId: string): unknown {
  if (!(error instanceof ProtocolError) || error.requestId) return error
  return new ProtocolError(error.message, {
    code: error.code as 'BAD_ANSWER',
    requestId,
    cause: error.cause,
  })
}
