/** What became of the messages, in numbers, and what should not have. */
export interface AudioStats {
  received: number
  /** By how they ended. */
  completed: number
  /** By node: how many of these. */
  completedBy: Record<string, number>
  stopped: number
  orders: number
  /** Came to a node that Node-RED had closed already. */
  unheard: number
  /** By the code of the failure, or its message. */
  failed: Record<string, number>
  /** Chunks, sentences and whole answers. */
  sent: number
  utterances: number
  audioSeconds: number
  lost: string[]
  doubled: string[]
  /** Failures that Catch did not get, or got more than once. */
  badlyReported: string[]
  /** Neither whole nor failed nor stopped, or two of these. */
  incomplete: string[]
  /** Whole utterances that are not what they should be. */
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
