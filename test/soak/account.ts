/** Counts of the messages by result, and the violations. */
export interface AudioStats {
  received: number
  /** By result. */
  completed: number
  /** Count by node. */
  completedBy: Record<string, number>
  stopped: number
  orders: number
  /** Reached a node that Node-RED had already closed. */
  unheard: number
  /** By error code, or by message. */
  failed: Record<string, number>
  /** Chunks, sentences and whole answers. */
  sent: number
  utterances: number
  audioSeconds: number
  lost: string[]
  doubled: string[]
  /** Failures that Catch did not receive exactly once. */
  badlyReported: string[]
  /** Not exactly one of complete, failed and stopped. */
  incomplete: string[]
  /** Complete utterances with wrong contents. */
  wrong: string[]
}

export function emptyAudioStats(): AudioStats {
  const numbers = { received: 0, completed: 0, stopped: 0, orders: 0, unheard: 0, sent: 0 }
  const sounds = { utterances: 0, audioSeconds: 0 }
  const examples = { lost: [], doubled: [], badlyReported: [], incomplete: [], wrong: [] }
  return { ...numbers, ...sounds, ...examples, completedBy: {}, failed: {} }
}

export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
