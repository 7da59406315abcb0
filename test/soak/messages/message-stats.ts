import type { ParlandoError } from '@parlando/core/errors'

/** How the messages ended: counts, and examples of violations. */
export interface MessageStats {
  received: number
  /** Of the received messages, those with a complete result. */
  completed: number
  /** The completed messages by node. */
  completedBy: Record<string, number>
  stopped: number
  control: number
  /** Received by a node that Node-RED had already closed. */
  undelivered: number
  /** By error code, or by message if there is no code. */
  failed: Record<string, number>
  /** Chunks, sentences and complete responses. */
  sent: number
  utterances: number
  /** To questions: by voice or button, or that there was none. */
  answers: Record<string, number>
  audioSeconds: number
  lost: string[]
  duplicates: string[]
  /** Failures that Catch received never or more than once. */
  notCaughtOnce: string[]
  /** Neither complete nor failed nor stopped, or two of these. */
  incomplete: string[]
  /** Utterances with wrong parts, bytes or length. */
  wrong: string[]
}

export function emptyMessageStats(): MessageStats {
  const numbers = { received: 0, completed: 0, stopped: 0, control: 0, undelivered: 0, sent: 0 }
  const sounds = { utterances: 0, audioSeconds: 0 }
  const examples = { lost: [], duplicates: [], notCaughtOnce: [], incomplete: [], wrong: [] }
  return { ...numbers, ...sounds, ...examples, completedBy: {}, failed: {}, answers: {} }
}

export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** On a slow machine, more of a kind of work happens at the same time than a service accepts. */
export function countFailure(counts: Record<string, number>, what: string, error: unknown): void {
  const isRejected = (error as ParlandoError).code === 'RESOURCE_EXHAUSTED'
  count(counts, isRejected ? `rejected ${what}` : `failed ${what}: ${error}`)
}
