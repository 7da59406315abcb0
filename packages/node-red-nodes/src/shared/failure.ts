import { ParlandoError } from '@parlando/core'

/** A bad setting or message, found by a node itself. */
export class NodeInputError extends Error {
  readonly code = 'INVALID_INPUT'
}

/** More than a node itself can hold. */
export class NodeLimitError extends Error {
  readonly code = 'OUT_OF_RANGE'
}

// By their codes: each node is a file of its own and has the classes once more.
const ownCodes = ['INVALID_INPUT', 'OUT_OF_RANGE']

/** An error as it goes to Catch: one sentence in `msg.error.message`, a stable `code`, the rest in `cause`. */
export interface Failure extends Error {
  code: string
  cause: { retryable: boolean; status?: number; requestId?: string }
}

/** @param error whatever was thrown; a message from elsewhere may hold what throws anything. */
export function toFailure(error: unknown): Failure {
  const known = isKnown(error) ? error : undefined
  const { status, retryable = false, requestId } = (known ?? {}) as Partial<Failure['cause']>
  const failure = new Error(reasonOf(error)) as Failure
  failure.code = known?.code ?? 'FAILED'
  failure.cause = { retryable, status, requestId }
  // Catch passes on name and stack as well; beside the sentence, both would only confuse.
  failure.name = ''
  failure.stack = undefined
  return failure
}

/** What the error says, as far as it says anything. */
export function reasonOf(error: unknown): string {
  try {
    const { message } = error as Error
    if (typeof message === 'string' && message.trim() !== '') return message
  } catch {
    // Neither an error nor anything else that can be read.
  }
  return 'it failed without a reason'
}

function isKnown(error: unknown): error is ParlandoError | NodeInputError | NodeLimitError {
  if (!(error instanceof Error)) return false
  return ParlandoError.isInstance(error) || ownCodes.includes((error as NodeInputError).code)
}
