import { isAscii, isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { parseJson } from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../errors/service-error.ts'

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

/** Facts about a JSON text that decide whether it may be parsed. They are not a proof that the text is valid. */
export interface JsonOutline {
  /** Whether every string, object and array is closed. */
  isComplete: boolean
  isObject: boolean
  /** The deepest nesting of objects and arrays. */
  depth: number
  /** The number of values, or slightly more. */
  values: number
  /** The number of backslashes that escape a character. */
  escapes: number
  /** The places of the values of the requested member in the outermost object; `undefined` for a value other than a string. */
  members: readonly (JsonRange | undefined)[]
}

/** A part of a JSON text, from its first byte up to the byte after its last one. */
export interface JsonRange {
  start: number
  end: number
}

/** About a millisecond of work. Between two slices, the service serves other requests. */
const sliceBytes = 256 * 1024

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const [openArray, closeArray] = [0x5b, 0x5d]
const [openObject, closeObject] = [0x7b, 0x7d]

/**
 * Reads the outline of a JSON text without parsing it: in constant memory, and without holding the event loop.
 * @param member the name of the member to find in the outermost object.
 */
export async function outlineJson(text: Uint8Array, member?: string): Promise<JsonOutline> {
  const members: (JsonRange | undefined)[] = []
  let [isObject, isString, isEscaped] = [false, false, false]
  let [depth, maxDepth, values, escapes] = [0, 0, 0, 0]
  let stringStart = 0
  let [isKey, isOfMember] = [false, false]

  const endString = (place: JsonRange): void => {
    if (isKey) {
      isKey = false
      isOfMember = isNamed(text, place, member)
      if (isOfMember) members.push(undefined)
    } else if (isOfMember) {
      isOfMember = false
      members[members.length - 1] = place
    }
  }

  for (let from = 0; from < text.length; from += sliceBytes) {
    if (from > 0) await setImmediate()
    const to = Math.min(from + sliceBytes, text.length)
    for (let at = from; at < to; at++) {
      const byte = text[at]
      if (isString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) {
          isEscaped = true
          escapes++
        } else if (byte === quote) {
          isString = false
          if (depth === 1) endString({ start: stringStart, end: at + 1 })
        }
      } else if (byte === quote) {
        isString = true
        stringStart = at
      } else if (byte === openObject || byte === openArray) {
        values++
        depth++
        maxDepth = Math.max(maxDepth, depth)
        if (values === 1) isObject = byte === openObject
        if (depth === 1) isKey = isObject
      } else if (byte === closeObject || byte === closeArray) depth--
      else if (byte === comma) {
        values++
        if (depth === 1) isKey = isObject
      }
    }
  }
  const isComplete = depth === 0 && !isString
  return { isComplete, isObject, depth: maxDepth, values, escapes, members }
}

function isNamed(text: Uint8Array, { start, end }: JsonRange, name: string | undefined): boolean {
  // Every letter may be escaped with six characters.
  if (name === undefined || end - start > name.length * 6 + 2) return false
  return parseJson(Buffer.from(text.subarray(start, end)).toString()) === name
}
