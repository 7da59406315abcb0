import { statedProblem } from '../../http/stated-problem.ts'
import { decodeBase64, parseJson } from '../../wire/decode.ts'
import { errorIn } from '../../wire/problem.ts'
import type { SpeechWarning } from '../../wire/speech.ts'
import { speechSocketResponseSchema } from '../../wire/speech-socket.ts'
import { readUsage, type SpeechUsage } from './report.ts'
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

/** The content of a message: a result, the error of the connection, or why the message violates the protocol. */
export type SocketMessage = { result: ContextResult } | { problem: unknown } | { violation: string }

/** Reads a message of the service. */
export function readSocketMessage(message: string): SocketMessage {
  const json = parseJson(message)
  if (json === undefined) return { violation: 'a message of the service is not JSON' }
  const parsed = speechSocketResponseSchema.safeParse(json)
  if (!parsed.success) {
    return { violation: 'a message of the service does not match the expected format' }
  }
  const { result } = parsed.data
  const error = parsed.data.error || (!result && errorIn(json))
  if (error) return { problem: statedProblem(error) }
  const { contextId, audioChunk, flushCompleted, contextClosed } = result ?? {}
  const audio = audioChunk?.audioContent ? decodeBase64(audioChunk.audioContent) : new Uint8Array()
  if (!audio) return { violation: 'the audio in a message of the service is not base64' }
  const status = result?.status ?? statusIn(audioChunk, flushCompleted, contextClosed)
  return {
    result: {
      contextId: contextId ?? undefined,
      problem: status && Number(status.code ?? 0) !== 0 ? { error: status } : undefined,
      audio,
      timestamps: readTimestamps(audioChunk?.timestampInfo),
      usage: readUsage(audioChunk?.usage),
      warnings: audioChunk?.warnings ?? undefined,
      isFlushed: Boolean(flushCompleted),
      isClosed: Boolean(contextClosed),
    },
  }
}

/** Some services send the status inside of the member. */
function statusIn(...members: (object | null | undefined)[]): { code?: unknown } | undefined {
  const [status] = members.flatMap((member) => (member as { status?: object })?.status ?? [])
  return status
}
