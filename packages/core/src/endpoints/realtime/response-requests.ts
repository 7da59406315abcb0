import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeResponseSettings } from '../../wire/realtime-session.ts'

/** Requests responses, one at a time. */
export class ResponseRequests {
  /** The id of the response in progress. */
  activeId: string | undefined
  /** Whether the service has a request and has not begun the response. */
  isRequested = false
  readonly #send: (event: RealtimeClientEvent) => void
  #wanted: { response: RealtimeResponseSettings | undefined } | undefined

  constructor(send: (event: RealtimeClientEvent) => void) {
    this.#send = send
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

  /** Takes an event of the service. */
  note(event: RealtimeServerEvent) {
    switch (event.type) {
      case 'response.created':
        this.isRequested = false
        this.activeId = event.response.id
        return
      case 'response.done':
        this.activeId = undefined
        return this.#requestWanted()
      case 'error':
        // The request may be what failed.
        this.isRequested = false
    }
  }

  /** Forgets the response in progress and the requests, which a new session does not have. */
  reset(): void {
    this.activeId = undefined
    this.isRequested = false
    this.#wanted = undefined
  }

  #requestWanted(): void {
    if (!this.#wanted || this.isRequested || this.activeId !== undefined) return
    const { response } = this.#wanted
    this.#wanted = undefined
    this.isRequested = true
    this.#send({ type: 'response.create', ...(response && { response }) })
  }
}
