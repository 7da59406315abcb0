import { z } from 'zod'
import { functionSchema, parseInput } from '../parse-input.ts'
import { strictObject } from '../wire/object-schema.ts'
import { headersSchema } from './headers.ts'
import {
  maxRetriesSchema,
  type ResolvedOptions,
  type RetryInfo,
  timeLimitSchema,
} from './options.ts'

const isSignal = (value: unknown) =>
  typeof (value as AbortSignal | null)?.addEventListener === 'function'

/** The options of one call: the only place for their names, limits and texts. */
export const callOptionsSchema = strictObject({
  /** What the call is for, in errors and events, such as `Speech`. Default: the kind of call, such as `Voice list`. */
  purpose: z.string().min(1).optional(),
  /** Ends the call, which then throws the signal's own reason. Default: none. */
  signal: z.custom<AbortSignal>(isSignal, 'must be an AbortSignal').optional(),
  /** Maximum time of the call with all its attempts, in milliseconds. Default: the client's. */
  timeoutMs: timeLimitSchema.optional(),
  /**
   * Maximum wait for the response to begin, in milliseconds. Default: the client's; 300,000 for `cloneVoice`, 120,000
   * for `designVoice`, 3,600,000 for `transcribe`.
   */
  firstByteTimeoutMs: timeLimitSchema.optional(),
  /** How often the client retries this call. Default: the client's. */
  maxRetries: maxRetriesSchema.optional(),
  /** Headers for the requests of this call; they override the client's of the same name. Default: none. */
  headers: headersSchema.optional(),
  /** Called before each wait for a retry of this call, after the client's own. Default: none. */
  onRetry: functionSchema<RetryInfo>().optional(),
})

/** Options of one call. */
export type CallOptions = z.input<typeof callOptionsSchema>

/** The options of one method call with the client's defaults, and its clock. All requests of the call share both. */
export interface Call extends CallOptions {
  maxRetries: number
  headers: Readonly<Record<string, string>>
  /**
   * Aborted when the call has taken `timeoutMs`. The clock starts when the first request asks for this, so a stream can
   * wait for its reader as long as it likes.
   */
  deadline(): AbortSignal | undefined
}

/** What a call is for, in errors: the purpose that the caller named, or the kind of call. */
export function purposeOf({ purpose }: CallOptions, kind: string): string {
  return purpose ?? kind
}

/** @throws {InputError} naming each option that is not valid. */
export function createCall(options: ResolvedOptions, callOptions: CallOptions = {}): Call {
  const parsed = parseInput(callOptionsSchema, callOptions, 'Call options')
  const timeoutMs = parsed.timeoutMs ?? options.timeoutMs
  let deadline: AbortSignal | undefined
  return {
    ...parsed,
    timeoutMs,
    maxRetries: parsed.maxRetries ?? options.maxRetries,
    headers: { ...options.headers, ...parsed.headers },
    deadline() {
      if (timeoutMs !== undefined) deadline ??= AbortSignal.timeout(timeoutMs)
      return deadline
    },
  }
}
