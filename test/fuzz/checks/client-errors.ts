import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClientOptions, type ErrorCode, ParlandoError } from '@parlando/core'
import { statusCodes } from '@parlando/core/wire'
import { keys } from '@parlando/test-support/secrets/keys'
import { expect } from 'vitest'

/** A machine may stop for a while, and a response that never comes ends the test anyway. */
const patience = {
  connectTimeoutMs: 300_000,
  firstByteTimeoutMs: 300_000,
  silenceTimeoutMs: 300_000,
}

/** The options of a client with small limits, which random responses exceed often. */
export function clientOptions(baseUrl: string): ClientOptions {
  return {
    baseUrl,
    apiKey: keys.service,
    maxRetries: 0,
    maxLineBytes: 2048,
    maxResponseBytes: 4096,
    maxTextCharacters: 100,
    ...patience,
  }
}

/** The codes that a bad response can cause. Nothing here can time out. */
const codes: ErrorCode[] = [
  ...(Object.keys(statusCodes) as (keyof typeof statusCodes)[]),
  ...(['NOT_REACHABLE', 'CONNECTION_LOST'] as const),
  ...(['BAD_RESPONSE', 'LINE_TOO_LONG', 'RESPONSE_TOO_LARGE', 'NO_AUDIO'] as const),
]

const coreSources = fileURLToPath(new URL('../../../packages/core/src', import.meta.url))

/** Every word of the core's sources. The messages of the core contain no others. */
const coreWords = new Set(
  readdirSync(coreSources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(join(coreSources, file), 'utf8').match(/[\w-]+/g) ?? []),
)

/** The words of a message that do not occur in the core's sources, except addresses, error codes of undici and numbers. */
function foreignWords(message: string): string[] {
  const text = message
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/\d+/g, '')
    .replaceAll(/\bUND_ERR_[A-Z_]+/g, '')
  const words = text.match(/[^\s.,:;()]+/g) ?? []
  return words.filter((word) => !/^\d+$/.test(word) && !coreWords.has(word))
}

/** A service error quotes up to 300 characters of the response, and adds the request and advice. */
const maxApiMessageLength = 450

export interface Failure {
  name: string
  code: ErrorCode
  message: string
}

/** @returns the properties that identify a failure. @throws every error that is not the client's, which fails the test. */
export function readFailure(error: unknown): Failure {
  if (!ParlandoError.isInstance(error)) throw error
  const { name, code, message } = error
  expect(codes).toContain(code)
  if (name === 'ApiError') expect(message.length).toBeLessThan(maxApiMessageLength)
  else {
    // The client's own sentence, without a part of the response and without a stack.
    expect(message).toMatch(/^[A-Z][^\n]{10,200}$/)
    expect(foreignWords(message)).toEqual([])
  }
  // A service may repeat the key, the client must not.
  expect(logged(error)).not.toContain(keys.service)
  if (name === 'ProtocolError') expect(error.cause).toBeUndefined()
  return { name, code, message }
}

/** The text of an error that a log would contain. */
function logged(error: Error): string {
  const { message, cause } = error
  return `${message} ${JSON.stringify(error)} ${cause instanceof Error ? logged(cause) : ''}`
}
