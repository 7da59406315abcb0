import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError, reasonOf } from './failure.ts'
import { sharedText } from './texts.ts'

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
  setting: Setting,
  message: NodeMessageInFlow,
  signal: AbortSignal,
): Promise<{ value: unknown }> {
  return new Promise((resolve, reject) => {
    // An expression waits for promises of the message.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    const { value: field, type } = setting
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
}

/** A number as a form has it, often as text; empty: none. */
export function toNumber(value: string | number | null | undefined): number | undefined {
  return value === undefined || value === null || value === '' ? undefined : Number(value)
}

/** Not an array, a Buffer or the like. What a function node made counts, although its `Object` is another one. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Without the properties that hold nothing, for which a form has a value of its own. */
export function withoutEmpty<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return Object.fromEntries(entries) as Partial<Options>
}
