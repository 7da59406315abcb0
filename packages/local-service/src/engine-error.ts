import type { ServiceError } from './errors.ts'

/** Why an engine could not speak: it does not work at the moment, it rejects the phrase, or it took too long. */
export type EngineErrorKind = 'unavailable' | 'input' | 'timeout'

/** An engine failed to speak a phrase. The message is for the caller; the cause is only logged. */
export class EngineError extends Error {
  readonly kind: EngineErrorKind
  /** The error response of an engine that is a speech service itself; it is passed on with its own status. */
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
