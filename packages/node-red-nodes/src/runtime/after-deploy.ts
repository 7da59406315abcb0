import type { Node, NodeAPI } from 'node-red'
import { toFailure } from './failure.ts'

/** Passes on what a deploy has cut. Only when the flow has started again are the nodes behind a node there. */
export class AfterDeploy {
  /** What to send, by the id of the node. */
  readonly #cut = new Map<string, ((node: Node) => void)[]>()
  // One listener for all nodes: Node warns of a leak from eleven on.
  readonly #starting = new Map<Node, () => void>()

  constructor(RED: Pick<NodeAPI, 'events'>) {
    RED.events.on('flows:started', () => {
      for (const start of this.#starting.values()) start()
      this.#starting.clear()
    })
  }

  /** Waits until the flow of a node has started. @param onStarted is called then, after everything that was cut. */
  follow(node: Node, onStarted = () => {}): void {
    this.#starting.set(node, () => {
      const cut = this.#cut.get(node.id) ?? []
      this.#cut.delete(node.id)
      for (const passOn of cut) tryFor(node, () => passOn(node))
      tryFor(node, onStarted)
    })
  }

  /** @param passOn receives the node that has taken the place of the one that was closed. */
  add({ id }: Node, passOn: (node: Node) => void): void {
    this.#cut.set(id, [...(this.#cut.get(id) ?? []), passOn])
  }

  /** A node is closed. @param isRemoved whether it is not there after the deploy. */
  leave(node: Node, isRemoved: boolean): void {
    this.#starting.delete(node)
    if (isRemoved) this.#cut.delete(node.id)
  }
}

/** An error must not end the deploy: Node-RED would not report that it has started the flows. */
function tryFor(node: Node, work: () => void): void {
  try {
    work()
  } catch (error) {
    // The error is reported without the message, which cannot be copied for Catch either.
    node.error(toFailure(error))
  }
}
