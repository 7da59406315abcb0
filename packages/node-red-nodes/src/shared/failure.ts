import { ParlandoError } from '@parlando/core'

/** A bad setting or message, found by a node itself. */
export class NodeInputError extends Error {
  readonly code = 'INVALID_INPUT'
}

/** An error as it goes to Catch: one sentence in `msg.error.message`, a stable `code`, the rest in `cause`. */
export interface Failure extends Error {
  code: string
  cause: { retryable: boolean; status?: number; requestId?: string }
}

export function toFailure(error: unknown): Failure {
  const { message, status } = error as Error & { status?: number }
  const known = ParlandoError.isInstance(error) ? error : undefined
  const failure = new Error(message) as Failure
  failure.code = known?.code ?? (error as { code?: string }).code ?? 'FAILED'
  failure.cause = { retryable: known?.retryable ?? false, status, requestId: known?.requestId }
  // Catch passes on name and stack as well; beside the sentence, both would only confuse.
  failure.name = ''
  failure.stack = undefined
  return failure
}
