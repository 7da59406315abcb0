import type { NodeMessage } from 'node-red'
import type { Failure } from './failure.ts'
import { packageState } from './package-state.ts'

/** Follows what a node does with a message that it was given without a wire. */
export interface MessageWatcher {
  /** The node sends a message. @param output counted from 0. */
  sent(message: NodeMessage, output: number): void
  /** The node is done. */
  ended(failure: Failure | undefined): void
}

// The node is in another bundle than the one that watches.
const watchedMessages = packageState('watchedMessages', () => new WeakMap<object, MessageWatcher>())

/** Watches a message, which must be given to a node with `receive` then. */
export function watchMessage(message: NodeMessage, watcher: MessageWatcher): void {
  watchedMessages.set(message, watcher)
}

export function watcherOf(message: NodeMessage): MessageWatcher | undefined {
  return watchedMessages.get(message)
}
