import type { NodeMessageInFlow } from 'node-red'

export type Parts = NodeMessageInFlow['parts']

/** A message's place in a sequence, such as that of a sentence in an answer. */
export interface Part {
  sequenceId: string
  isFirst: boolean
  isLast: boolean
}

/** The place of a message in its sequence. `msg.parts` may hold anything. */
export function partOf({ parts }: NodeMessageInFlow): Part | undefined {
  if (typeof parts?.id !== 'string') return undefined
  const { id, index, count } = parts
  const isLast = count !== undefined && index === count - 1
  return { sequenceId: id, isFirst: index === 0, isLast }
}

/** `msg.parts` of a sequence made from one message. As in the core nodes, the parts of an outer sequence are kept inside. */
export function innerParts<Own extends { id: string }>(
  own: Own,
  outer: Parts,
): Own & { parts?: Parts } {
  return { ...own, ...(outer && { parts: outer }) }
}

// A flow may never complete a sequence; above this limit, the oldest one is forgotten.
const maxSequences = 1000

/** The open sequences of a node: from their first part to their last. */
export class Sequences {
  readonly #open = new Set<string>()
  readonly #ended = new Set<string>()

  isOpen({ sequenceId }: Part): boolean {
    return this.#open.has(sequenceId)
  }

  /** @returns whether the part belongs to a stopped sequence. After the last part, the id is free again. */
  passesOver({ sequenceId, isFirst, isLast }: Part): boolean {
    const isOver = this.#ended.has(sequenceId) && !isFirst
    if (isOver && isLast) this.#ended.delete(sequenceId)
    return isOver
  }

  take({ sequenceId, isLast }: Part): void {
    this.#ended.delete(sequenceId)
    if (isLast) this.#open.delete(sequenceId)
    else remember(this.#open, sequenceId)
  }

  /** Stops the sequence of a part: its later parts are dropped. */
  end({ sequenceId, isLast }: Part): void {
    this.#open.delete(sequenceId)
    if (!isLast) remember(this.#ended, sequenceId)
  }

  endAll(): void {
    for (const id of this.#open) remember(this.#ended, id)
    this.#open.clear()
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id)
  const [oldest] = ids
  if (ids.size > maxSequences) ids.delete(oldest!)
}
