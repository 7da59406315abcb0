import { ParlandoError } from '@parlando/core'

/** An invalid setting or message that a node itself detects. */
export class NodeInputError extends Error {
  readonly code = 'INVALID_INPUT'
}

/** Data that exceeds a limit of a node. */
export class NodeLimitError extends Error {
  readonly code = 'OUT_OF_RANGE'
}

// `instanceof` does not work here: the bundle of each node contains its own copy of the classes.
const ownCodes = ['INVALID_INPUT', 'OUT_OF_RANGE']

/** An error for Catch: a sentence in `msg.error.message`, a stable `code`, further facts in `cause`. */
export interface Failure extends Error {
  code: string
  cause: { retryable: boolean; status?: number; requestId?: string }
}

/**
 * Converts a thrown value to the error that `done` passes to Catch.
 *
 * Catch copies only `toString()`, `code`, `cause` and `stack` of the error. So this is an Error with all
 * further facts in `cause`, without a name, which `toString()` would put before the sentence, and without a stack, which
 * shows paths: https://github.com/node-red/node-red/blob/5.0.7/packages/node_modules/%40node-red/runtime/lib/flows/Flow.js
 * @param error Any value; reading a property of it may throw.
 */
export function toFailure(error: unknown): Failure {
  const known = isKnown(error) ? error : undefined
  const { status, retryable = false, requestId } = (known ?? {}) as Partial<Failure['cause']>
  const failure = new Error(reasonOf(error)) as Failure
  failure.code = known?.code ?? 'FAILED'
  failure.cause = { retryable, status, requestId }
  failure.name = ''
  failure.stack = undefined
  return failure
}

/** The message of an error, or a replacement if it has none. */
export function reasonOf(error: unknown): string {
  try {
    const { message } = error as Error
    if (typeof message === 'string' && message.trim() !== '') return message
  } catch {
    // Not an object, or a getter threw.
  }
  return 'it failed without a reason'
}

function isKnown(error: unknown): error is ParlandoError | NodeInputError | NodeLimitError {
  if (!(error instanceof Error)) return false
  return ParlandoError.isInstance(error) || ownCodes.includes((error as NodeInputError).code)
}
