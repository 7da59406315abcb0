import { type StatusCode, statusCodes } from '@parlando/core/wire'

/** An answer that is an error: thrown anywhere while a request is served, sent by the app. */
export class Refusal extends Error {
  readonly code: StatusCode

  constructor(code: StatusCode, message: string) {
    super(message)
    this.code = code
  }

  get httpStatus(): number {
    return statusCodes[this.code].httpStatus
  }

  /** The error body of the protocol. */
  get body(): { code: number; message: string; details: unknown[] } {
    return { code: statusCodes[this.code].number, message: this.message, details: [] }
  }
}

/** Any error as an answer; what nobody foresaw says no more than that. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal('INTERNAL', 'The local service failed; its log says why')
}
