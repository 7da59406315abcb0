import { decodeBase64 } from '../../wire/decode.ts'
import type { SpeechWarning } from '../../wire/speech.ts'
import { speechSocketResponseSchema } from '../../wire/speech-socket-messages.ts'
import { type MessageSource, parseResult } from '../socket-message.ts'
import { readUsage, type SpeechUsage } from './speech-report.ts'
import { readTimestamps, type Timestamps } from './timestamps.ts'

/** A result of one context. */
export interface ContextResult {
  /** `undefined` if the service names none, because there is only one context. */
  contextId: string | undefined
  /** The error of the service. */
  problem?: unknown
  /** Empty if there is none. */
  audio: Uint8Array
  timestamps?: Timestamps
  usage?: SpeechUsage
  warnings?: readonly SpeechWarning[]
  /** A synthesis is complete. */
  isFlushed: boolean
  /** The last result of the context. */
  isClosed: boolean
}

/**
 * Reads a message of the service.
 * @throws {ApiError} for an error of the connection. @throws {ProtocolError} `BAD_RESPONSE`.
 */
export function readContextResult(message: string, source: MessageSource): ContextResult {
  const { result } = parseResult(speechSocketResponseSchema, message, source)
  const { contextId, audioChunk, flushCompleted, contextClosed } = result ?? {}
  const audio = audioChunk?.audioContent ? decodeBase64(audioChunk.audioContent) : new Uint8Array()
  if (!audio) throw source.bad('the audio in a message of the service is not base64')
  const status = result?.status ?? statusIn(audioChunk, flushCompleted, contextClosed)
  return {
    contextId: contextId ?? undefined,
    problem: status && Number(status.code ?? 0) !== 0 ? { error: status } : undefined,
    audio,
    timestamps: readTimestamps(audioChunk?.timestampInfo),
    usage: readUsage(audioChunk?.usage),
    warnings: audioChunk?.warnings ?? undefined,
    isFlushed: Boolean(flushCompleted),
    isClosed: Boolean(contextClosed),
  }
}

/** Some services send the status inside of the member. */
function statusIn(...members: (object | null | undefined)[]): { code?: unknown } | undefined {
  const [status] = members.flatMap((member) => (member as { status?: object })?.status ?? [])
  return status
}
