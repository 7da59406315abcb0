import { z } from 'zod'
import { type ResolvedOptions, timeLimitSchema } from '../options.ts'
import { functionSchema, parseInput } from '../parse-input.ts'
import type { RetryInfo } from './retry.ts'

/** What holds for one call alone. */
export interface CallOptions {
  /** Ends the call; it then throws the signal's own reason. */
  signal?: AbortSignal
  /**
   * Longest wait for the answer to begin. Default: the client's, but 300,000 for `cloneVoice` and 120,000 for
   * `designVoice`, which take long.
   */
  firstByteTimeoutMs?: number
  /** Longest time from start to end, other attempts included. Default: the client's. */
  timeoutMs?: number
  /** Told, after the client's own and in the same way, of each failure after which this call is made again. */
  onRetry?(info: RetryInfo): void
}

/** The options of one method call, and its clock. All requests of the call share both. */
export interface Call extends CallOptions {
  /**
   * Aborted when the call has taken `timeoutMs`. The clock starts with the first request, which asks for this first:
   * a stream may wait for its reader as long as it likes.
   */
  deadline(): AbortSignal | undefined
}

const isSignal = (value: unknown) =>
  typeof (value as AbortSignal | null)?.addEventListener === 'function'

const callOptionsSchema = z.strictObject({
  signal: z.custom<AbortSignal>(isSignal, 'an AbortSignal is needed').optional(),
  firstByteTimeoutMs: timeLimitSchema.optional(),
  timeoutMs: timeLimitSchema.optional(),
  onRetry: functionSchema<RetryInfo>().optional(),
})

/** @throws {InputError} naming the option that is not valid. */
export function createCall(options: ResolvedOptions, callOptions: CallOptions = {}): Call {
  const parsed = parseInput(callOptionsSchema, callOptions, 'Call options')
  const timeoutMs = parsed.timeoutMs ?? options.timeoutMs
  let deadline: AbortSignal | undefined
  return {
    ...parsed,
    timeoutMs,
    deadline() {
      if (timeoutMs !== undefined) deadline ??= AbortSignal.timeout(timeoutMs)
      return deadline
    },
  }
}
