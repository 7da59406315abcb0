import { type ClientOptions, type ErrorCode, ParlandoError } from '@parlando/core'
import { statusCodes } from '@parlando/core/wire'
import { keys } from '@parlando/test-support/keys'
import { expect } from 'vitest'

/** A client with small limits, so that what is beyond them is soon reached. */
export function clientOptions(baseUrl: string): ClientOptions {
  return {
    baseUrl,
    apiKey: keys.service,
    retries: 0,
    maxLineBytes: 2048,
    maxResponseBytes: 4096,
    maxTextCharacters: 100,
  }
}

/** What may go wrong with an answer; there is no time limit among it. */
const codes: ErrorCode[] = [
  ...(Object.keys(statusCodes) as (keyof typeof statusCodes)[]),
  ...(['NOT_REACHABLE', 'CONNECTION_LOST'] as const),
  ...(['BAD_RESPONSE', 'LINE_TOO_LONG', 'RESPONSE_TOO_LARGE', 'NO_AUDIO'] as const),
]

/** What the client says itself has nothing of the answer in it. */
const ownMessages = [
  /^A line in the response is longer than the limit of \d+ bytes$/,
  /^An event in the response is longer than the limit of \d+ characters$/,
  /^The response is an HTML page instead of an event stream$/,
  /^[A-Z][a-z ]+ broke off: the connection to http:\/\/127\.0\.0\.1:\d+\/\d+ was lost$/,
  /^Voice list failed: no answer from http:\/\/127\.0\.0\.1:\d+\/\d+( \(UND_ERR_\w+\))?\. Check the address and that the service runs$/,
  /^Chat broke off: the response ended before it was complete$/,
  /^[A-Z][a-z ]+ failed: (a line|an event) in the response is not JSON$/,
  /^Speech failed: unexpected line format in the response$/,
  /^Chat failed: unexpected event format in the response$/,
  /^Chat failed: the response is longer than the limit of \d+ characters$/,
  /^[A-Z][a-z ]+ failed: the response is not JSON$/,
  /^[A-Z][a-z ]+ failed: the answer is not packed as its Content-Encoding says$/,
  /^[A-Z][a-z ]+ failed: the answer has not the shape that it should have$/,
  /^[A-Z][a-z ]+ failed: the response is larger than the limit of \d+ bytes$/,
  /^[A-Z][a-z ]+ failed: the answer holds no (audio|voices)$/,
  /^Speech failed: the response contains no audio$/,
]

/** Of the service's own words, 300 characters may be told, and what was asked for and what to do. */
const longestMessage = 450

export interface Failure {
  name: string
  code: ErrorCode
  message: string
}

/** @returns what is to be known of a failure. Any other than the client's own errors fails the test. */
export function readFailure(error: unknown): Failure {
  if (!ParlandoError.isInstance(error)) throw error
  const { name, code, message } = error
  expect(codes).toContain(code)
  if (name === 'ApiError') expect(message.length).toBeLessThan(longestMessage)
  else expect(ownMessages.filter((known) => known.test(message))).toHaveLength(1)
  // The service may say the key back, the client may not.
  expect(told(error)).not.toContain(keys.service)
  if (name === 'ProtocolError') expect(error.cause).toBeUndefined()
  return { name, code, message }
}

/** All that a log would show of it. */
function told(error: Error): string {
  const { message, cause } = error
  return `${message} ${JSON.stringify(error)} ${cause instanceof Error ? told(cause) : ''}`
}
