import type { NodeMessageInFlow } from 'node-red'

/** A message's place in a sequence, such as that of a sentence in an answer. */
export interface Part {
  sequenceId: string
  /** True for the first part of the sequence. */
  isFirst: boolean
  /** True for the last part of the sequence. */
  isLast: boolean
}

/** The open sequences of a node: from their first part to their last. */
export interface Sequences {
  /** @returns whether the sequence is open. */
  isOpen(part: Part): boolean
  /** @returns whether the part belongs to a stopped sequence. After the last part, the id is free again. */
  passesOver(part: Part): boolean
  take(part: Part): void
  /** Stops the sequence of a part: its later parts are dropped. */
  end(part: Part): void
  /** The same for all open sequences. */
  endAll(): void
}

// A flow may never complete a sequence; above this limit, the oldest one is forgotten.
const maxSequences = 1000

export function createSequences(): Sequences {
  const open = new Set<string>()
  const ended = new Set<string>()

  const remember = (ids: Set<string>, id: string) => {
    ids.add(id)
    const [oldest] = ids
    if (ids.size > maxSequences && oldest !== undefined) ids.delete(oldest)
  }

  return {
    isOpen: ({ sequenceId }) => open.has(sequenceId),
    passesOver({ sequenceId, isFirst, isLast }) {
      const isOver = ended.has(sequenceId) && !isFirst
      if (isOver && isLast) ended.delete(sequenceId)
      return isOver
    },
    take({ sequenceId, isLast }) {
      ended.delete(sequenceId)
      if (isLast) open.delete(sequenceId)
      else remember(open, sequenceId)
    },
    end({ sequenceId, isLast }) {
      open.delete(sequenceId)
      if (!isLast) remember(ended, sequenceId)
    },
    endAll() {
      for (const id of open) remember(ended, id)
      open.clear()
    },
  }
}

export type Parts = NodeMessageInFlow['parts']

/** `msg.parts` of a sequence made from one message. As in the core nodes, the parts of an outer sequence are kept inside. */
export function innerParts<Own extends { id: string }>(
  own: Own,
  outer: Parts,
): Own & { parts?: Parts } {
  return { ...own, ...(outer && { parts: outer }) }
}
