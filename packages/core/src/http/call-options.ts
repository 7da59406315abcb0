import { z } from 'zod'
import { functionSchema, type ResolvedOptions, timeLimitSchema } from '../options.ts'
import { parseInput } from '../parse-input.ts'
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
  totalTimeoutMs?: number
  /** Told, after the client's own and in the same way, of each failure after which this call is made again. */
  onRetry?(info: RetryInfo): void
}

/** A call that has begun: `deadline` is aborted when it has taken as long as it may. */
export interface BegunCall extends CallOptions {
  deadline?: AbortSignal
}

const isSignal = (value: unknown) =>
  typeof (value as AbortSignal | null)?.addEventListener === 'function'

const callOptionsSchema = z.strictObject({
  signal: z.custom<AbortSignal>(isSignal, 'an AbortSignal is needed').optional(),
  firstByteTimeoutMs: timeLimitSchema.optional(),
  totalTimeoutMs: timeLimitSchema.optional(),
  onRetry: functionSchema<RetryInfo>().optional(),
})

/** @throws {InputError} naming the option that is wrong. */
export function parseCallOptions(options: CallOptions | undefined): CallOptions {
  return parseInput(callOptionsSchema, options ?? {}, 'Call options')
}

/** Starts the clock of a call, unless it runs already. */
export function beginCall<Call extends BegunCall>(call: Call, options: ResolvedOptions): Call {
  const totalTimeoutMs = call.totalTimeoutMs ?? options.totalTimeoutMs
  if (totalTimeoutMs === undefined || call.deadline) return call
  return { ...call, deadline: AbortSignal.timeout(totalTimeoutMs) }
}
