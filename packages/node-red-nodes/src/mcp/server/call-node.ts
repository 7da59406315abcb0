import type { Node } from 'node-red'
import { type Failure, NodeLimitError } from '../../runtime/failure.ts'
import { watchMessage } from '../../runtime/watched-messages.ts'
import type { NodeTool, SentMessage } from './node-tools.ts'

const stopped = 'It was stopped before it had a result: by the flow, or by a deploy.'

/**
 * Gives a node a message and waits for the first one that it sends as a result. @throws {Error} of the node, when it ends
 * without a result, or when the signal is aborted; the node goes on then.
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
        // A node that is stopped ends without a failure. After a result, this has no effect.
        reject(new Error(failure?.toString() ?? stopped))
      },
    })
    node.receive(message)
  })
}
