import type { RealtimeServerEvent } from '@parlando/core/wire'
import { ServiceError } from '../errors.ts'
import { toServiceError } from '../to-service-error.ts'

/** An event of the client that the session rejects. The session continues. */
export class SessionError extends ServiceError {
  /** As in the OpenAI API; clients compare it. */
  readonly sessionCode: string
  /** The field that caused the error, such as `item_id`. */
  readonly param: string | null

  constructor(sessionCode: string, message: string, param: string | null = null) {
    super('INVALID_ARGUMENT', message)
    this.sessionCode = sessionCode
    this.param = param
  }
}

/** An error in the OpenAI format. */
export type ErrorBody = {
  type: string
  code: string
  message: string
  param: string | null
}

export function toErrorBody(error: unknown): ErrorBody {
  const failure = toServiceError(error)
  const body = failure.openAiBody.error
  if (!(failure instanceof SessionError)) return body
  return { ...body, code: failure.sessionCode, param: failure.param }
}

/** @param eventId the event of the client that caused the error. */
export function toErrorEvent(error: unknown, eventId: string | null = null): RealtimeServerEvent {
  return { type: 'error', error: { ...toErrorBody(error), event_id: eventId } }
}
