import { z } from 'zod'
import { parseInput } from './parse-input.ts'

const limitSchema = z.int().min(1)

const clientOptionsSchema = z.strictObject({
  baseUrl: z.url({
    protocol: /^https?$/,
    error: 'an address such as https://speech.example or http://127.0.0.1:8080 is needed',
  }),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'a key has no spaces, line breaks or accented letters')
    .default(''),
  connectTimeoutMs: limitSchema.default(10_000),
  firstByteTimeoutMs: limitSchema.default(60_000),
  silenceTimeoutMs: limitSchema.default(30_000),
  maxLineBytes: limitSchema.default(16 * 1024 * 1024),
  maxAnswerBytes: limitSchema.default(64 * 1024 * 1024),
})

export interface ClientOptions {
  /** Where the service is; a path in it is kept, as in `https://example/speech`. */
  baseUrl: string
  /** Sent as it is after `Basic`. Default: none, and no header. */
  apiKey?: string
  /** Longest wait for a connection. Default 10,000. */
  connectTimeoutMs?: number
  /** Longest wait for the answer to begin. Default 60,000. */
  firstByteTimeoutMs?: number
  /** Longest silence in an answer that has begun. Default 30,000. */
  silenceTimeoutMs?: number
  /** Longest line of a stream. Default 16 MiB. */
  maxLineBytes?: number
  /** Largest answer that is not a stream. Default 64 MiB. */
  maxAnswerBytes?: number
}

export type ResolvedOptions = z.output<typeof clientOptionsSchema>

/** Fills in every default. @throws {InputError} naming the option that is wrong. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  return parseInput(clientOptionsSchema, options, 'Client options')
}
