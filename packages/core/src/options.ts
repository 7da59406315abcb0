import { z } from 'zod'
import { type AddressFault, addressFault } from './address.ts'
import type { RetryInfo } from './http/retry.ts'
import type { DebugEvent } from './http/trace.ts'
import { functionSchema, parseInput } from './parse-input.ts'

/** Bytes or calls. */
const limitSchema = z.int().min(1)

/** Milliseconds. Trap: a timer that is set to more than this rings at once. */
export const timeLimitSchema = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

const addressSentences: Readonly<Record<AddressFault, string>> = {
  'not-an-address': 'an address such as https://speech.example or http://127.0.0.1:8080 is needed',
  'more-than-a-path':
    'an address ends with its path and has no password; the key is an option of its own',
  'in-the-clear': 'http: would send key and text in the clear; use https:, or set allowInsecure',
}

const clientOptionsSchema = z
  .strictObject({
    baseUrl: z.string(addressSentences['not-an-address']).trim(),
    apiKey: z
      .string()
      .regex(/^[\x21-\x7e]*$/, 'a key has no spaces, line breaks or accented letters')
      .default(''),
    connectTimeoutMs: timeLimitSchema.default(10_000),
    firstByteTimeoutMs: timeLimitSchema.default(60_000),
    silenceTimeoutMs: timeLimitSchema.default(30_000),
    maxLineBytes: limitSchema.default(16 * 1024 * 1024),
    maxResponseBytes: limitSchema.default(64 * 1024 * 1024),
    timeoutMs: timeLimitSchema.optional(),
    maxRetries: z.int().min(0).default(2),
    maxRetryDelayMs: timeLimitSchema.default(30_000),
    onRetry: functionSchema<RetryInfo>().optional(),
    maxConcurrent: limitSchema.optional(),
    allowInsecure: z.boolean().default(false),
    debug: functionSchema<DebugEvent>().optional(),
    maxTextCharacters: z.int().min(100).default(2000),
    longText: z.enum(['split', 'reject']).default('split'),
  })
  .superRefine(({ baseUrl, allowInsecure }, context) => {
    const fault = addressFault(baseUrl)
    if (!fault || (fault === 'in-the-clear' && allowInsecure)) return
    context.addIssue({ code: 'custom', path: ['baseUrl'], message: addressSentences[fault] })
  })

/** Where the service is, and limits for all calls; only `baseUrl` is needed. */
export interface ClientOptions {
  /** Where the service is; a path in it is kept, as in `https://example/speech`. */
  baseUrl: string
  /** Sent as it is after `Basic`. Default: none, and no header. */
  apiKey?: string
  /** Longest wait for a connection. Default 10,000. */
  connectTimeoutMs?: number
  /** Longest wait for the answer to begin; `cloneVoice` and `designVoice` have their own. Default 60,000. */
  firstByteTimeoutMs?: number
  /** Longest silence in an answer that has begun. Default 30,000. */
  silenceTimeoutMs?: number
  /** Longest line of a stream. Default 16 MiB. */
  maxLineBytes?: number
  /** Largest answer that is not a stream. Default 64 MiB. */
  maxResponseBytes?: number
  /** Longest time for a call from its start to its end, other attempts included. Default: none. */
  timeoutMs?: number
  /**
   * How often a call is made again that failed by the network or with 408, 409, 429 or 5xx; where the answer states a
   * code, the status of that counts. Never with `ALREADY_EXISTS` or `UNIMPLEMENTED`, nor after audio or a delta has been
   * handed out (of a text spoken in pieces: after the first audio of the piece), and a clone only when there was no
   * connection. Default 2.
   */
  maxRetries?: number
  /**
   * Longest wait before another attempt. Where the service asks for a longer one (`Retry-After`), the call fails at once.
   * Default 30,000.
   */
  maxRetryDelayMs?: number
  /** Told of each failure after which the call is made again. What it throws becomes a warning of the process. */
  onRetry?(info: RetryInfo): void
  /**
   * Calls that run at a time; the others wait their turn. A stream counts until it is read to its end, so what is called
   * inside its loop needs a turn of its own: 2 at least. Default: no limit.
   */
  maxConcurrent?: number
  /** Allows `http:` also to addresses outside this machine and network. Default false. */
  allowInsecure?: boolean
  /** The longest text that the service takes at once, in UTF-16 code units. Default 2,000. */
  maxTextCharacters?: number
  /**
   * What happens to a longer one: `split` asks for it in pieces, cut where a speaker would breathe, each while the one
   * before is delivered, and joins them into one seamless whole; `reject` throws InputError. Default `split`.
   */
  longText?: 'split' | 'reject'
  /** Told what happens on the wire: no text, no audio, no key. What it throws becomes a warning of the process. */
  debug?(event: DebugEvent): void
}

export type ResolvedOptions = z.output<typeof clientOptionsSchema>

/** Fills in every default. @throws {InputError} naming the option that is wrong. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  return parseInput(clientOptionsSchema, options, 'Client options')
}
