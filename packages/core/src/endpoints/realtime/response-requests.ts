import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeResponseSettings } from '../../wire/realtime-session.ts'
import { newId } from './new-id.ts'

type ResponseCreate = Extract<RealtimeClientEvent, { type: 'response.create' }>

/** Requests responses, one at a time. */
export class ResponseRequests {
  /** The id of the response in progress. */
  activeId: string | undefined
  readonly #send: (event: RealtimeClientEvent) => void
  #wanted: { response: RealtimeResponseSettings | undefined } | undefined
  /** The request that the service has, whose response it has not begun. */
  #requested: { id: string; mayBeRejected: boolean } | undefined

  constructor(send: (event: RealtimeClientEvent) => void) {
    this.#send = send
  }

  /** Whether the service has a request and has not begun the response. */
  get isRequested(): boolean {
    return this.#requested !== undefined
  }

  /** Whether a response is in progress or requested. */
  get isOpen(): boolean {
    return this.#isBusy || this.#wanted !== undefined
  }

  /** Requests a response as soon as none is in progress. */
  request(response?: RealtimeResponseSettings): void {
    this.#wanted = { response }
    this.#requestWanted()
  }

  /** Sends a request at once. It gets an id if it has none: an error of the service names the event. */
  send(event: ResponseCreate): void {
    const { event_id = newId('event') } = event
    this.#requested = { id: event_id, mayBeRejected: false }
    this.#send({ ...event, event_id })
  }

  /** Takes an event of the service. */
  note(event: RealtimeServerEvent) {
    switch (event.type) {
      case 'response.created':
        this.#requested = undefined
        this.activeId = event.response.id
        return
      case 'response.done':
        this.activeId = undefined
        return this.#requestWanted()
      case 'error':
        return this.#noteError(event.error.event_id)
    }
  }

  /** Forgets the response in progress and the requests, which a new session does not have. */
  reset(): void {
    this.activeId = undefined
    this.#requested = undefined
    this.#wanted = undefined
  }

  /** Whether the next request has to wait. */
  get #isBusy(): boolean {
    return this.activeId !== undefined || this.#requested?.mayBeRejected === false
  }

  /** @param eventId the event that caused the error. The service may not name it, for example if it could not read the event. */
  #noteError(eventId: string | null | undefined): void {
    if (!this.#requested) return
    if (eventId === this.#requested.id) this.#requested = undefined
    // Its response may still begin, but nothing may wait for that forever.
    else if (eventId == null) this.#requested.mayBeRejected = true
    else return
    this.#requestWanted()
  }

  #requestWanted(): void {
    if (!this.#wanted || this.#isBusy) return
    const { response } = this.#wanted
    this.#wanted = undefined
    this.send({ type: 'response.create', ...(response && { response }) })
  }
}
