import type { ServiceError } from './service-error.ts'

/** Why an engine or a recogniser failed: it does not work at the moment, it rejects the input, or it took too long. */
export type EngineErrorKind = 'unavailable' | 'input' | 'timeout'

/**
 * An engine failed to speak a phrase, or a recogniser to recognise an utterance. The message is for the caller; the cause
 * is only logged.
 */
export class EngineError extends Error {
  readonly kind: EngineErrorKind
  /** The error response of another service that does the work; it is passed on with its own status. */
  readonly response: ServiceError | undefined

  constructor(
    kind: EngineErrorKind,
    message: string,
    { cause, response }: { cause?: unknown; response?: ServiceError } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.response = response
  }
}
