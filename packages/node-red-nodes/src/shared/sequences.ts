/** A message's place in a sequence, such as that of a sentence in an answer. */
export interface Part {
  sequenceId: string
  /** True where nothing of the sequence comes before it. */
  isFirst: boolean
  /** True where nothing of the sequence comes after it. */
  isLast: boolean
}

/** The sequences that a node has seen a part of, until their last. */
export interface Sequences {
  /** @returns whether parts have come, and more are to come. */
  isOpen(part: Part): boolean
  /** @returns whether it is still to come of a sequence that was ended. Behind its last, the name is free again. */
  passesOver(part: Part): boolean
  take(part: Part): void
  /** Ends all that are open: what is still to come of them is no longer wanted. */
  endAll(): void
}

// A flow need not ever close a sequence; of more than these, the one that came first is forgotten.
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
    endAll() {
      for (const id of open) remember(ended, id)
      open.clear()
    },
  }
}
