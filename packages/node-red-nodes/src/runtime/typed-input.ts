import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError, reasonOf } from './failure.ts'
import { textOrType } from './settings.ts'
import { sharedText } from './texts.ts'
import { unlessAborted } from './wait.ts'

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
