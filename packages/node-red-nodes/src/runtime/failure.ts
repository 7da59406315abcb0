import { InputError, ParlandoError } from '@parlando/core/errors'
import type { Node, NodeMessage } from 'node-red'

/** An invalid setting or message that a node itself detects. The status shows the message up to the first colon. */
export class NodeInputError extends Error {
  readonly code = 'INVALID_INPUT'
}

/** Data that exceeds a limit of a node. */
export class NodeLimitError extends Error {
  readonly code = 'OUT_OF_RANGE'
}

/** The service has spent what its form allows. Nothing was sent. */
export class BudgetError extends Error {
  readonly code = 'BUDGET_SPENT'
}

/** The codes of errors of microphones and speakers. */
export const deviceCodes: readonly string[] = [
  'NO_MICROPHONE',
  'NO_PLAYER',
  'NOT_FETCHED',
  'SPEAKER_NOT_REACHABLE',
  'SPEAKER_REFUSED',
]
// `instanceof` does not work here: the bundle of each node contains its own copy of the classes.
const ownCodes = ['INVALID_INPUT', 'OUT_OF_RANGE', 'BUDGET_SPENT', ...deviceCodes]

/** An error for `done`: a sentence, with the facts for Catch as properties. */
export interface Failure {
  toString(): string
  /** Stable name of the problem. */
  code: string
  cause: { retryable: boolean; status?: number; requestId?: string }
}

/**
 * Converts a thrown value to the error for `done`.
 *
 * It is a String object, not an Error: the debug sidebar shows an Error as an object whose texts it cuts after 30 characters,
 * and a String as its text. Catch copies `toString()`, `code`, `cause` and, if there is one, `stack`, which shows paths:
 * https://github.com/node-red/node-red/blob/5.0.7/packages/node_modules/%40node-red/runtime/lib/flows/Flow.js
 * @param error Any value; reading a property of it may throw.
 */
export function toFailure(error: unknown): Failure {
  const known = isKnown(error) ? error : undefined
  const { status, retryable = false, requestId } = (known ?? {}) as Partial<Failure['cause']>
  const facts = { code: known?.code ?? 'FAILED', cause: { retryable, status, requestId } }
  return Object.assign(Object(reasonOf(error)), facts)
}

/** An error as data, for reports and responses. */
export function describeFailure(failure: Failure): { code: string; message: string } {
  return { code: failure.code, message: failure.toString() }
}

/** Passes an error about a message to Catch. */
export function reportFailure(node: Node, error: unknown, message: NodeMessage): void {
  passToCatch(node, toFailure(error), message)
}

/** Passes a failure to Catch. Never throws: Node-RED copies the message, and reading a property may throw. */
export function passToCatch(node: Node, failure: Failure, message: NodeMessage): void {
  try {
    node.error(failure, message)
  } catch {
    node.error(failure)
  }
}

const maxCauseCharacters = 60

/**
 * The cause of an invalid request for the status: the first clause of the sentence, without the advice after it.
 * @returns `undefined` for other errors: their code says enough.
 */
export function causeOf(error: unknown): string | undefined {
  if (!isKnown(error) || !['INVALID_INPUT', 'INVALID_ARGUMENT'].includes(error.code)) {
    return undefined
  }
  const [problem] = InputError.isInstance(error) ? error.problems : []
  // Before the sentence, the client puts `Speech rejected (400 INVALID_ARGUMENT): `, and the service the name of the field.
  const sentence = problem ?? error.message.replace(/^[^:]{0,40}\(\d{3} \w+\): (?:\w+: )?/, '')
  const [clause = ''] = sentence.slice(0, 4 * maxCauseCharacters).split(/\s?[:;.]\s|[：；。]/, 1)
  const characters = Array.from(clause)
  if (characters.length <= maxCauseCharacters) return clause
  return `${characters.slice(0, maxCauseCharacters - 1).join('')}…`
}

/** The message of an error, or a replacement if it has none. */
export function reasonOf(error: unknown): string {
  try {
    const { message } = error as Error
    if (typeof message === 'string' && message.trim() !== '') return message
  } catch {
    // It is not an object, or a getter threw.
  }
  return 'it failed without a reason'
}

function isKnown(
  error: unknown,
): error is ParlandoError | NodeInputError | NodeLimitError | BudgetError {
  if (!(error instanceof Error)) return false
  return ParlandoError.isInstance(error) || ownCodes.includes((error as NodeInputError).code)
}
