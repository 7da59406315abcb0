import { randomUUID } from 'node:crypto'
import type { RealtimeServerEvent } from '@parlando/core/wire'
import { ServiceError } from '../errors/service-error.ts'
import { toServiceError } from '../errors/to-service-error.ts'

/** @returns an id such as `item_5f0c…`. The OpenAI API allows 32 characters for the id of an item. */
export function newId(kind: 'sess' | 'event' | 'item' | 'resp' | 'call' | 'conv' | 'rtc'): string {
  return `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

/** Sends an event. The promise resolves when the system has taken it, so that a slow client slows the sender. */
export type Emit = (event: RealtimeServerEvent) => Promise<void>

/** An event of the client that the session rejects. The session continues. */
export class SessionError extends ServiceError {
  /** The code that the OpenAI API has for this error; clients compare it. */
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
