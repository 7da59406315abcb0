import { isAscii, isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { parseJson } from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../errors/service-error.ts'
import { outlineJson } from './outline-json.ts'

// Within these limits, parsing and validating a body of a megabyte takes less than 50 ms. No valid body is close to them.
const maxDepth = 32
const usualMaxValues = 6000
// More than a megabyte has if it escapes every character.
const maxEscapes = 200_000
// Requests for speech are smaller, so they do not wait for other work of the event loop.
const maxBytesInOneTurn = 256 * 1024

/** @throws {ServiceError} when the body is not UTF-8. */
export async function readBody(context: Context): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(await context.req.arrayBuffer())
  if (!isUtf8(body)) throw new ServiceError('INVALID_ARGUMENT', 'The body is not UTF-8')
  return body
}

/** @throws {ServiceError} when the body is not JSON. */
export async function readJsonBody(context: Context): Promise<unknown> {
  return parseBody(await readBody(context))
}

/**
 * Parses JSON that somebody else wrote. Parsing holds the event loop, so the text is checked first.
 * @param name of the text in error messages.
 * @param maxValues the limit of a text that need not be validated. Default: 6,000.
 * @throws {ServiceError} when the text is not JSON, nests too deep or has too many values.
 */
export async function parseBody(
  body: Uint8Array,
  name = 'The body',
  maxValues = usualMaxValues,
): Promise<unknown> {
  const reject = (problem: string): never => {
    throw new ServiceError('INVALID_ARGUMENT', `${name} ${problem}`)
  }
  const { depth, values, escapes } = await outlineJson(body)
  if (depth > maxDepth) reject(`nests deeper than ${maxDepth} levels`)
  if (values > maxValues) reject(`contains more than ${maxValues} values`)
  if (escapes > maxEscapes) reject(`contains more than ${maxEscapes} escaped characters`)
  // Decoding, parsing and validating the largest body take some 30 ms each, so each has its own turn.
  const endTurn = async () => {
    if (body.length > maxBytesInOneTurn) await setImmediate()
  }
  const text = toText(body)
  await endTurn()
  const json = parseJson(text)
  await endTurn()
  return json === undefined ? reject('is not JSON') : json
}

/** Recordings are base64, so most large bodies are ASCII, which Node 20 decodes five times as fast. */
function toText(body: Uint8Array): string {
  if (!isAscii(body)) return new TextDecoder().decode(body)
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
}
