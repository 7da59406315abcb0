import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError, reasonOf } from './failure.ts'
import { sharedText } from './texts.ts'
import { unlessAborted } from './unless-aborted.ts'

/** A field of a form that is a fixed value, a property of the message, an expression and the like. */
export interface Setting {
  value: string
  type: string
}

/** A field for which forms offer `msg.payload` first; that is meant where a flow that was written by hand has none. */
export function settingOrPayload(value: string | undefined, type = 'msg'): Setting {
  return { value: value ?? (type === 'msg' ? 'payload' : ''), type }
}

/** How errors name a field, such as `msg.payload`; a flow that was written by hand may have anything in it. */
export function sourceOf({ value, type }: Setting): string {
  return `${wordOf(type)}.${wordOf(value)}`
}

/** The text, or in its place what it is instead. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : `(${typeof value})`
}

/**
 * Reads a field for one message.
 * @returns the value in an object: a message may hold a promise, and waiting for that could take for ever.
 * @throws {NodeInputError} when the expression cannot be evaluated.
 */
export function readSetting(
  RED: NodeAPI,
  node: Node,
  { value: field, type }: Setting,
  message: NodeMessageInFlow,
  signal: AbortSignal,
): Promise<{ value: unknown }> {
  const read = new Promise<{ value: unknown }>((resolve, reject) => {
    const refuse = (error: unknown) => {
      // Of a message without `a`, Node-RED cannot read `a.b`; nor anything where a flow has no text for a name.
      const isNowhere = type === 'msg' && error instanceof TypeError
      if (isNowhere || typeof field !== 'string') return resolve({ value: undefined })
      const reason = reasonOf(error)
      reject(
        new NodeInputError(sharedText(RED, 'error.expression', { source: wordOf(field), reason })),
      )
    }
    try {
      RED.util.evaluateNodeProperty(field, type, node, message, (error, value) =>
        error ? refuse(error) : resolve({ value }),
      )
    } catch (error) {
      // A broken expression is thrown at once, past the callback.
      refuse(error)
    }
  })
  // An expression waits for promises of the message.
  return unlessAborted(read, signal)
}

/** Pasted ids, keys and addresses come with blanks. What is no text is left to the client, which says so. */
export function trimmed<Value>(field: Value): Value {
  return (typeof field === 'string' ? field.trim() : field) as Value
}

/** A number as a form has it, often as text; empty: none. */
export function toNumber(value: string | number | null | undefined): number | undefined {
  return isEmpty(value) ? undefined : Number(value)
}

/** Not an array, a Buffer or the like. What a function node made counts, although its `Object` is another one. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Whether the form's value holds in its place. */
export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}

/** Without the properties that hold nothing. */
export function withoutEmpty<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(entries) as Partial<Options>
}
