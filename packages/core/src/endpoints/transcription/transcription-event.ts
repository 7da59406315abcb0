import type { z } from 'zod'
import { statedProblem } from '../../http/stated-problem.ts'
import { parseJson } from '../../wire/decode.ts'
import { errorIn } from '../../wire/problem.ts'
import { transcribeStreamResponseSchema } from '../../wire/transcription.ts'
import {
  readTranscript,
  readTranscriptionUsage,
  type Transcript,
  type TranscriptionUsage,
} from './transcript.ts'

/** Something that the service reports about a stream. Times are from the start of the stream. */
export type TranscriptionEvent =
  /** A speaker begins a turn. */
  | { type: 'speechStarted'; startMs: number }
  /** The transcript of the turn so far. Each one replaces the one before. */
  | ({ type: 'interim' } & Transcript)
  /** The transcript of the whole turn. It can be empty. */
  | ({ type: 'final' } & Transcript)
  /** The turn has ended after this silence. */
  | { type: 'speechStopped'; silenceMs: number }
  /** The last event. */
  | ({ type: 'usage' } & TranscriptionUsage)
  /** A result that this version does not know, unchanged. */
  | { type: 'unknown'; result: Readonly<Record<string, unknown>> }

/** The content of a message: events, the error of the service, or why the message violates the protocol. */
export type StreamMessage =
  | { events: readonly TranscriptionEvent[] }
  | { problem: unknown }
  | { violation: string }

/** Reads a message of the service. */
export function readMessage(message: string): StreamMessage {
  const json = parseJson(message)
  if (json === undefined) return { violation: 'a message of the service is not JSON' }
  const parsed = transcribeStreamResponseSchema.safeParse(json)
  if (!parsed.success) {
    return { violation: 'a message of the service does not match the expected format' }
  }
  const { result } = parsed.data
  const error = parsed.data.error || (!result && errorIn(json))
  if (error) return { problem: statedProblem(error) }
  const events = result ? [...readResult(result)] : []
  return {
    events: events.length > 0 ? events : [{ type: 'unknown', result: result ?? parsed.data }],
  }
}

type Result = NonNullable<z.output<typeof transcribeStreamResponseSchema>['result']>

function* readResult(result: Result): Generator<TranscriptionEvent, void> {
  const { speechStarted, transcription, speechStopped } = result
  // A service may leave out zeros.
  if (speechStarted) yield { type: 'speechStarted', startMs: speechStarted.startTimeMs ?? 0 }
  if (transcription) {
    const type = transcription.isFinal ? 'final' : 'interim'
    yield { type, ...readTranscript(transcription) }
  }
  if (speechStopped) {
    yield { type: 'speechStopped', silenceMs: speechStopped.silenceDurationMs ?? 0 }
  }
  const usage = readTranscriptionUsage(result.usage)
  if (usage) yield { type: 'usage', ...usage }
}
