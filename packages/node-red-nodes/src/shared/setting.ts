import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from './failure.ts'
import { sharedText } from './texts.ts'

/** A field of a form that is a fixed value, a property of the message, an expression and the like. */
export interface Setting {
  value: string
  type: string
}

/**
 * Reads a field for one message.
 * @throws {NodeInputError} when the expression cannot be evaluated.
 */
export function readSetting(
  RED: NodeAPI,
  node: Node,
  { value, type }: Setting,
  message: NodeMessageInFlow,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const refuse = ({ message: reason }: Error) =>
      reject(new NodeInputError(sharedText(RED, 'error.expression', { source: value, reason })))
    try {
      RED.util.evaluateNodeProperty(value, type, node, message, (error, result) =>
        error ? refuse(error) : resolve(result),
      )
    } catch (error) {
      // A broken expression is thrown at once, past the callback.
      refuse(error as Error)
    }
  })
}
