import type { NodeMessage } from 'node-red'
import type { SavedEntry, SavedList } from './saved-list.ts'

/** A message that a node has saved. */
export interface SavedMessage extends SavedEntry {
  /** The message without what JSON cannot hold. */
  message: Record<string, unknown>
  /** Absent: it was not read yet. */
  text?: string
}

type Restored = Required<Pick<NodeMessage, '_msgid'>>

/** The messages that a node had saved before a restart or a deploy. They get the id of their entry. */
export class RestoredMessages<Entry extends SavedMessage> {
  readonly #store: SavedList<Entry>
  readonly #nodeId: string
  readonly #entries: Map<string, Entry>

  constructor(store: SavedList<Entry>, nodeId: string) {
    this.#store = store
    this.#nodeId = nodeId
    this.#entries = new Map(store.of(nodeId).map((entry) => [entry.id, entry]))
  }

  get messages(): Restored[] {
    return [...this.#entries.values()].map(({ id, message }) => ({ ...message, _msgid: id }))
  }

  /** The entry of such a message. */
  entryOf({ _msgid }: Restored): Entry | undefined {
    return this.#entries.get(_msgid)
  }

  /** Removes an entry, also one that was saved since. */
  remove(id: string): void {
    // A later message of the flow may have this id, but another text.
    this.#entries.delete(id)
    this.#store.remove(id)
  }

  /** Removes all entries of the node. */
  removeAll(): void {
    for (const { id } of this.#store.of(this.#nodeId)) this.remove(id)
    this.#entries.clear()
  }
}
