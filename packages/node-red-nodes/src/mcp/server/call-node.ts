import type { Node } from 'node-red'
import type { Failure } from '../../runtime/failure.ts'
import { watchMessage } from '../../runtime/watched-messages.ts'
import type { NodeTool, SentMessage } from './node-tools.ts'

const stopped = 'It was stopped before it had a result: by the flow, or by a deploy.'

/**
 * Gives a node a message and waits for the first one that it sends as a result. @throws {Error} of the node, when it ends
 * without a result, or the reason of the signal; the node goes on then.
 */
export function callNode(
  node: Node,
  tool: Pick<NodeTool, 'toMessage' | 'resultOutputs' | 'toResult'>,
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) return leave()
    const message = tool.toMessage(values) as SentMessage
    watchMessage(message, {
      sent(result, output) {
        if (tool.resultOutputs?.includes(output) ?? true) {
          resolve(tool.toResult(result as SentMessage))
        }
      },
      ended(failure?: Failure) {
        signal.removeEventListener('abort', leave)
        // A node that is stopped ends without a failure. After a result, this has no effect.
        reject(new Error(failure?.toString() ?? stopped))
      },
    })
    node.receive(message)
  })
}
