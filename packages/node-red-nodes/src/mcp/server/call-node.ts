import type { Node } from 'node-red'
import { type Failure, NodeLimitError } from '../../runtime/failure.ts'
import { watchMessage } from '../../runtime/watched-messages.ts'
import type { NodeTool, SentMessage } from './node-tools.ts'

/**
 * Gives a node a message and waits for the first one that it sends as a result, or until it is done. @throws {Error} of the
 * node, or when the signal is aborted; the node goes on then.
 */
export function callNode(
  node: Node,
  tool: Pick<NodeTool, 'toMessage' | 'resultOutputs' | 'toResult'>,
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const give = () =>
      reject(new NodeLimitError('It takes longer than a call may take, and goes on.'))
    signal.addEventListener('abort', give, { once: true })
    if (signal.aborted) return give()
    const message = tool.toMessage(values) as SentMessage
    watchMessage(message, {
      sent(result, output) {
        if (tool.resultOutputs?.includes(output) ?? true) {
          resolve(tool.toResult(result as SentMessage))
        }
      },
      ended(failure?: Failure) {
        signal.removeEventListener('abort', give)
        if (failure) reject(new Error(failure.toString()))
        else resolve(undefined)
      },
    })
    node.receive(message)
  })
}
