import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { type AddressFault, addressFault } from '../address.ts'
import type { ParlandoError } from '../errors.ts'
import { functionSchema, parseInput } from '../parse-input.ts'
import { strictObject } from '../wire/object-schema.ts'
import { pronunciationsSchema } from '../wire/pronunciation.ts'
import { headersSchema } from './headers.ts'
import type { DebugEvent } from './trace.ts'

/** A failure after which the client waits and retries. */
export interface RetryInfo {
  /** The kind of call, such as `Speech`. */
  what: string
  /** Number of the failed attempt, from 1. */
  attempt: number
  /** Time until the next attempt, in milliseconds. */
  delayMs: number
  error: ParlandoError
}

/** A number of bytes or calls. */
const limitSchema = z.int().min(1)

/** Milliseconds; setTimeout fires immediately for delays above 2^31−1 ms. */
const timeLimitSchema = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

const maxRetriesSchema = z.int().min(0)

const addressSentences: Readonly<Record<AddressFault, string>> = {
  'not-an-address': 'must be an address such as https://speech.example or http://127.0.0.1:8080',
  'more-than-a-path': 'an address has no password, query or fragment; set the key as apiKey',
  'in-the-clear': 'http: would send key and text in the clear; use https:, or set allowInsecure',
}

const dispatcherSchema = z.custom<Dispatcher>(
  (value) => typeof (value as Dispatcher | null)?.dispatch === 'function',
  'must be a Dispatcher of undici',
)

/**
 * The options of a client: the only place for names, defaults, limits and texts. The type and the table in
 * `docs/core.md` derive from it.
 */
export const clientOptionsSchema = strictObject({
  /** Address of the service. The client keeps a path in it, as in `https://example/speech`. */
  baseUrl: z.string(addressSentences['not-an-address']).trim(),
  /** Sent verbatim after `Basic`, only to `baseUrl`. Default: none, and no `Authorization` header. */
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'a key has no spaces, line breaks or accented letters')
    .default(''),
  /** Maximum time for a connection to open, in milliseconds. A `dispatcher` has its own limit. Default 10,000. */
  connectTimeoutMs: timeLimitSchema.default(10_000),
  /**
   * Maximum wait for a response to begin, in milliseconds; `cloneVoice`, `designVoice` and `transcribe` have their own.
   * Default 60,000.
   */
  firstByteTimeoutMs: timeLimitSchema.default(60_000),
  /** Maximum silence within a response, in milliseconds. Default 30,000. */
  silenceTimeoutMs: timeLimitSchema.default(30_000),
  /** Maximum time of a call with all its attempts, in milliseconds. For streams it starts with the request. Default: none. */
  timeoutMs: timeLimitSchema.optional(),
  /**
   * How often the client retries a call after a network failure or a status of 408, 409, 429 or 5xx. If the response
   * states a code, the status of the code counts. The client does not retry `ALREADY_EXISTS` or `UNIMPLEMENTED`, nor a
   * stream that has delivered audio or a delta (of a long text: audio of the current piece), and it retries a clone only
   * if there was no connection. Default 2.
   */
  maxRetries: maxRetriesSchema.default(2),
  /** Maximum wait before a retry, in milliseconds. If `Retry-After` asks for more, the call fails at once. Default 30,000. */
  maxRetryDelayMs: timeLimitSchema.default(30_000),
  /** Called before each wait for a retry. If it throws, the process emits a warning. Default: none. */
  onRetry: functionSchema<RetryInfo>().optional(),
  /**
   * Maximum number of calls at a time; further calls wait in a queue. A stream counts until it ends, so a call inside
   * its loop needs a limit of at least 2. Default: none.
   */
  maxConcurrent: limitSchema.optional(),
  /** Headers for every request, such as `traceparent`. Headers that the client sets itself are rejected. Default: none. */
  headers: headersSchema.default({}),
  /**
   * An undici `Dispatcher` for all requests, such as an `Agent`, a `ProxyAgent` or a mock; `close` leaves it open.
   * Default: the client's own connections, which honour `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
   */
  dispatcher: dispatcherSchema.optional(),
  /** Longest text that the service accepts, in UTF-16 code units. Default 2,000. */
  maxTextCharacters: z.int().min(100).default(2000),
  /**
   * What happens to a longer text. `split`: the client cuts it where a speaker would pause, requests each piece while it
   * delivers the previous one, and joins them into one utterance. `reject`: InputError. Default `split`.
   */
  longText: z.enum(['split', 'reject']).default('split'),
  /**
   * How words and names are said: the client sends `sayAs` in place of `word`. A word must be whole, and its case does not
   * matter, unless it is in capitals. Markup stays as it is, and timestamps have the words of the request. At most 1,000.
   * Default: none.
   */
  pronunciations: pronunciationsSchema.default([]),
  /** Maximum length of a line or message of a stream, in bytes. Default 16 MiB. */
  maxLineBytes: limitSchema.default(16 * 1024 * 1024),
  /** Maximum size of a response that is not a stream, in bytes. Default 64 MiB. */
  maxResponseBytes: limitSchema.default(64 * 1024 * 1024),
  /** Allows `http:` to addresses outside this machine and its network. Default `false`. */
  allowInsecure: z.boolean().default(false),
  /** Called for each event on the wire, without text, audio or key. If it throws, the process emits a warning. Default: none. */
  debug: functionSchema<DebugEvent>().optional(),
})

/** Where the service is, and limits for all calls. Only `baseUrl` is required. */
export type ClientOptions = z.input<typeof clientOptionsSchema>

/** Client options with every default filled in. */
export type ResolvedOptions = z.output<typeof clientOptionsSchema>

const checkedOptionsSchema = clientOptionsSchema.superRefine(
  ({ baseUrl, allowInsecure }, context) => {
    const fault = addressFault(baseUrl)
    if (!fault || (fault === 'in-the-clear' && allowInsecure)) return
    context.addIssue({ code: 'custom', path: ['baseUrl'], message: addressSentences[fault] })
  },
)

/** Fills in every default. @throws {InputError} naming each option that is not valid. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  return parseInput(checkedOptionsSchema, options, 'Client options')
}

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
  /** Names the call in errors and events: its purpose or, without one, its kind. */
  what: string
  maxRetries: number
  headers: Readonly<Record<string, string>>
  /**
   * Aborted when the call has taken `timeoutMs`. The clock starts when the first request asks for this, so a stream can
   * wait for its reader as long as it likes.
   */
  deadline(): AbortSignal | undefined
}

/** @param kind of the call, such as `Voice list`. @throws {InputError} naming each option that is not valid. */
export function createCall(
  options: ResolvedOptions,
  callOptions: CallOptions = {},
  kind: string,
): Call {
  const parsed = parseInput(callOptionsSchema, callOptions, 'Call options')
  const timeoutMs = parsed.timeoutMs ?? options.timeoutMs
  let deadline: AbortSignal | undefined
  return {
    ...parsed,
    what: parsed.purpose ?? kind,
    timeoutMs,
    maxRetries: parsed.maxRetries ?? options.maxRetries,
    headers: { ...options.headers, ...parsed.headers },
    deadline() {
      if (timeoutMs !== undefined) deadline ??= AbortSignal.timeout(timeoutMs)
      return deadline
    },
  }
}
