import type { z } from 'zod'
import { transcribeStreamResponseSchema } from '../../wire/transcription.ts'
import { type MessageSource, parseResult } from '../socket-message.ts'
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

/**
 * Reads the events in a message of the service.
 * @throws {ApiError} for an error of the service. @throws {ProtocolError} `BAD_RESPONSE`.
 */
export function readEvents(message: string, source: MessageSource): readonly TranscriptionEvent[] {
  const { result, json } = parseResult(transcribeStreamResponseSchema, message, source)
  const events = result ? [...readResult(result)] : []
  const unknown = result ?? (json as Readonly<Record<string, unknown>>)
  return events.length > 0 ? events : [{ type: 'unknown', result: unknown }]
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
