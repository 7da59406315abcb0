import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeResponseSettings } from '../../wire/realtime-session.ts'

/** Requests responses, one at a time. */
export class ResponseRequests {
  /** The id of the response in progress. */
  activeId: string | undefined
  readonly #send: (event: RealtimeClientEvent) => void
  #wanted: { response: RealtimeResponseSettings | undefined } | undefined
  /** What the service has and has not begun. */
  #requested: { eventId: string | undefined } | undefined

  constructor(send: (event: RealtimeClientEvent) => void) {
    this.#send = send
  }

  /** Whether the service has a request and has not begun the response. */
  get isRequested(): boolean {
    return this.#requested !== undefined
  }

  /** Whether a response is in progress or requested. */
  get isOpen(): boolean {
    return this.activeId !== undefined || this.isRequested || this.#wanted !== undefined
  }

  /** Requests a response as soon as none is in progress. */
  request(response?: RealtimeResponseSettings): void {
    this.#wanted = { response }
    this.#requestWanted()
  }

  /** Takes a request that is sent as it is, at once. @param eventId its id, if it has one. */
  noteSent(eventId: string | undefined): void {
    this.#requested = { eventId }
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
        // With the id of another event, it is not about the request.
        if ((event.error.event_id ?? undefined) !== this.#requested?.eventId) return
        this.#requested = undefined
        return this.#requestWanted()
    }
  }

  /** Forgets the response in progress and the requests, which a new session does not have. */
  reset(): void {
    this.activeId = undefined
    this.#requested = undefined
    this.#wanted = undefined
  }

  #requestWanted(): void {
    if (!this.#wanted || this.#requested || this.activeId !== undefined) return
    const { response } = this.#wanted
    this.#wanted = undefined
    this.noteSent(undefined)
    this.#send({ type: 'response.create', ...(response && { response }) })
  }
}
