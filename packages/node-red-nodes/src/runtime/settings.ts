import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError, reasonOf } from './failure.ts'
import { sharedText } from './texts.ts'
import { unlessAborted } from './wait.ts'

/** The places that may hold a setting. The first value that is not empty applies. */
export interface SettingSources {
  /** A property of the message; it overrides the form for this message. */
  message?: string
  /** A property of the node. */
  form?: string
  /** Converts the value to a number: forms save numbers as text. */
  isNumber?: true
  fallback?: string
}

/** Settings as found. The types are not checked here: the client parses every request strictly and names the field. */
export type Settings<Table> = {
  [Name in keyof Table]: Table[Name] extends { isNumber: true } ? number | undefined : unknown
}

/**
 * Reads the settings of a table for one message. Text is trimmed, because pasted ids, keys and addresses often have
 * blanks around them. A setting that is empty everywhere is `undefined`.
 */
export function readSettings<const Table extends Record<string, SettingSources>>(
  message: object,
  form: object,
  table: Table,
): Settings<Table> {
  const valueIn = (holder: object, property: string | undefined) =>
    property === undefined ? undefined : trimmed((holder as Record<string, unknown>)[property])
  const entries = Object.entries(table).map(([name, sources]) => {
    const candidates = [valueIn(message, sources.message), valueIn(form, sources.form)]
    const value = candidates.find((candidate) => !isEmpty(candidate)) ?? sources.fallback
    return [name, sources.isNumber && value !== undefined ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}

/** Whether a setting, or a property of a message, counts as not given: inject nodes and templates leave an empty text. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** The properties that are not empty, of an object such as `msg.audioConfig`. */
export function withoutEmpty<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(entries) as Partial<Options>
}

/** Whether a value is an object, not an array, a Buffer or the like. Objects of a function node have another prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** The topic of a message, which may hold any value. An inject node without a topic sends an empty one. */
export function readTopic({ topic }: { topic?: unknown }): string | undefined {
  const text = ['string', 'number'].includes(typeof topic) ? String(topic).trim() : ''
  return text === '' ? undefined : text
}

/** A field of Node-RED's typedInput widget: a fixed value, a property of the message, an expression and so on. */
export interface TypedInput {
  value: string
  type: string
}

/** A typed input that defaults to `msg.payload`, also in hand-written flows that leave it out. */
export function typedInputOrPayload(value: string | undefined, type = 'msg'): TypedInput {
  return { value: value ?? (type === 'msg' ? 'payload' : ''), type }
}

/** The name of a typed input in errors, such as `msg.payload`. A hand-written flow may hold any value. */
export function sourceOf({ value, type }: TypedInput): string {
  return `${textOrType(type)}.${textOrType(value)}`
}

/** A text, or the type of any other value, for an error message. */
export function textOrType(value: unknown): string {
  return typeof value === 'string' ? value : `(${typeof value})`
}

/** A message that a node reads. */
export interface MessageContext<Message extends NodeMessageInFlow = NodeMessageInFlow> {
  RED: NodeAPI
  node: Node
  message: Message
  /** Ends the wait for an expression. */
  signal: AbortSignal
}

/**
 * Evaluates a typed input for one message.
 * @returns The value wrapped in an object: a message may hold a promise or another thenable, and a promise that resolves
 * with a thenable would wait for it, possibly for ever.
 * @throws {NodeInputError} when the expression cannot be evaluated.
 */
export function readTypedInput(
  { RED, node, message, signal }: MessageContext,
  { value: field, type }: TypedInput,
): Promise<{ value: unknown }> {
  const read = new Promise<{ value: unknown }>((resolve, reject) => {
    const fail = (error: unknown) => {
      // Node-RED throws a TypeError for `a.b` of a message without `a`, and for a name that is not text.
      const isMissing = type === 'msg' && error instanceof TypeError
      if (isMissing || typeof field !== 'string') return resolve({ value: undefined })
      const values = { source: textOrType(field), reason: reasonOf(error) }
      reject(new NodeInputError(sharedText(RED, 'error.expression', values)))
    }
    try {
      RED.util.evaluateNodeProperty(field, type, node, message, (error, value) =>
        error ? fail(error) : resolve({ value }),
      )
    } catch (error) {
      // Node-RED throws a syntax error of an expression instead of passing it to the callback.
      fail(error)
    }
  })
  // An expression waits for promises in the message.
  return unlessAborted(read, signal)
}

// As many entries as the client accepts. Every loop visits empty places, too: `new Array(2 ** 31)` would hold Node-RED for
// minutes, or take all its memory.
const maxListLength = 100_000

/** Whether a value of a message is an array that a node can go through. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= maxListLength
}
