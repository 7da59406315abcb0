import type { Node } from 'node-red'

/** The result with which a node completed a message. */
export interface Done {
  node: string
  error?: Error & { code?: unknown; cause?: unknown }
}

export interface Status {
  fill?: string
  shape?: string
  text?: string
}

type Handler = (event: never) => void

/** The parts of Node-RED that report what happens to messages. */
interface Reporting {
  hooks: { add(name: string, handler: Handler): void }
  events: { on(name: string, handler: Handler): void }
}

/** What becomes of the messages in a Node-RED, and the statuses of its nodes. */
export class WatchedMessages {
  readonly #dones = new Map<object, Done[]>()
  readonly #received = new Map<object, string[]>()
  readonly #sent = new Map<string, object[]>()
  readonly #statuses = new Map<string, Status>()

  watch({ hooks, events }: Reporting): void {
    hooks.add('onComplete.fuzz', (event: { msg: object; node: { node: Node }; error?: Error }) => {
      const { id, type } = event.node.node
      if (type.startsWith('parlando-'))
        append(this.#dones, event.msg, { node: id, error: event.error })
    })
    hooks.add('onReceive.fuzz', (event: { msg: object; destination: { id: string } }) => {
      append(this.#received, event.msg, event.destination.id)
    })
    hooks.add('onSend.fuzz', (sent: { msg: object; source: { id: string } }[]) => {
      for (const { msg, source } of sent) {
        // A node with two wires appears twice.
        if (!this.sentBy(source.id).includes(msg)) append(this.#sent, source.id, msg)
      }
    })
    events.on('node-status', ({ id, status }: { id: string; status?: Status }) => {
      this.#statuses.set(id, { ...status })
    })
  }

  /** The results of this message, from each of our nodes that received it. */
  doneWith(message: object): Done[] {
    return this.#dones.get(message) ?? []
  }

  /** How often the node with this id received the message. A flow can contain a loop. */
  timesReceived(message: object, id: string): number {
    return (this.#received.get(message) ?? []).filter((receiver) => receiver === id).length
  }

  /** The messages that the node with this id has sent, in order. */
  sentBy(id: string): object[] {
    return this.#sent.get(id) ?? []
  }

  /** The current status of the node with this id. */
  statusOf(id: string): Status | undefined {
    return this.#statuses.get(id)
  }

  /** Clears all messages. */
  forget(): void {
    this.#dones.clear()
    this.#received.clear()
    this.#sent.clear()
  }
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  lists.set(key, [...(lists.get(key) ?? []), value])
}
