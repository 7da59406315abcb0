import { setImmediate } from 'node:timers/promises'
import { parseJson } from '@parlando/core/wire'

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
  let [depth, deepest, values, escapes] = [0, 0, 0, 0]
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
        deepest = Math.max(deepest, depth)
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
  return { isComplete, isObject, depth: deepest, values, escapes, members }
}

function isNamed(text: Uint8Array, { start, end }: JsonRange, name: string | undefined): boolean {
  // Every letter may be escaped with six characters.
  if (name === undefined || end - start > name.length * 6 + 2) return false
  return parseJson(Buffer.from(text.subarray(start, end)).toString()) === name
}
