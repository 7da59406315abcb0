import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { type Failure, toFailure } from './failure.ts'
import { followRemovals } from './removed-nodes.ts'
import { failedStatus } from './status.ts'
import { watcherOf } from './watched-messages.ts'

export type Send<Message> = (message: Message | (Message | null)[]) => void

/**
 * Passes each message of a node to `take`, which calls `end` exactly once: at the end of the work, with a failure for Catch.
 * A `take` that throws ends the message with the error.
 */
export function handleInput<Message extends NodeMessageInFlow>(
  node: Node,
  take: (message: Message, send: Send<Message>, end: (failure?: Failure) => void) => void,
): void {
  node.on('input', (message, sendOut, done) => {
    const watcher = watcherOf(message)
    const send: Send<Message> = (out) => {
      for (const [output, sent] of [out].flat().entries()) if (sent) watcher?.sent(sent, output)
      sendOut(out)
    }
    const end = (failure?: Failure) => {
      watcher?.ended(failure)
      try {
        // The types of Node-RED demand an Error.
        done(failure as unknown as Error)
      } catch (error) {
        // Node-RED clones the message for Complete and Catch, which throws if a getter of the message throws.
        node.error(toFailure(error))
      }
    }
    try {
      // A node sets properties on its message, so a frozen one is copied.
      const input = Object.isExtensible(message) ? message : { ...message }
      take(input as Message, send, end)
    } catch (error) {
      node.status(failedStatus(error))
      end(toFailure(error))
    }
  })
}

/** Why a node is closed. */
export interface Closing {
  /** Whether it is not there after the deploy: it was deleted or disabled. */
  isRemoved: boolean
  /** Whether somebody has deleted it. One that was disabled may be there again later, and keeps its own. */
  isDeleted: boolean
}

/** Calls back when a node is closed, and lets Node-RED wait for the result. */
export function handleClose(
  RED: Pick<NodeAPI, 'events'>,
  node: Node,
  close: (closing: Closing) => Promise<void>,
): void {
  const latestRemoval = followRemovals(RED)
  node.on('close', (wasRemoved: boolean, done: () => void) => {
    const { isRemoved, isDeleted } = latestRemoval()
    // Node-RED says nothing to the nodes of a subflow.
    const closing = {
      isRemoved: wasRemoved || isRemoved(node.id),
      isDeleted: isDeleted(node.id),
    }
    void close(closing)
      .catch((error) => node.error(toFailure(error)))
      .finally(done)
  })
}
