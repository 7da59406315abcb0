import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeResponseSettings } from '../../wire/realtime-session.ts'
import { newId } from './history.ts'

/** The code of an error about a request that the service got during a response. */
const alreadyActive = 'conversation_already_has_active_response'

type ResponseCreate = Extract<RealtimeClientEvent, { type: 'response.create' }>
type ErrorFacts = Extract<RealtimeServerEvent, { type: 'error' }>['error']

interface WantedResponse {
  response: RealtimeResponseSettings | undefined
  /** It was rejected although no response was in progress, and was sent again at once. */
  isRepeated?: boolean
}

interface SentRequest extends WantedResponse {
  id: string
}

/** Requests responses, one at a time. */
export class ResponseRequests {
  /** The id of the response in progress. */
  activeId: string | undefined
  readonly #send: (event: RealtimeClientEvent) => void
  #wanted: WantedResponse | undefined
  /** The last request for a wanted response. The next response to begin may be another one, which the service began itself, or late. */
  #latest: SentRequest | undefined
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
        return this.#noteError(event.error)
    }
  }

  /** Forgets the response in progress and the requests, which a new session does not have. */
  reset(): void {
    this.activeId = undefined
    this.#requested = undefined
    this.#wanted = undefined
    this.#latest = undefined
  }

  /** Whether the next request has to wait. */
  get #isBusy(): boolean {
    return this.activeId !== undefined || this.#requested?.mayBeRejected === false
  }

  /** @param error may not name the event that caused it, for example if the service could not read the event. */
  #noteError({ code, event_id: eventId }: ErrorFacts): void {
    const latest = this.#latest
    if (latest && eventId === latest.id && code === alreadyActive) {
      this.#wantAgain(latest)
      return
    }
    if (!this.#requested) return
    if (eventId === this.#requested.id) this.#requested = undefined
    // Its response may still begin, but nothing may wait for that forever.
    else if (eventId == null) this.#requested.mayBeRejected = true
    else return
    this.#requestWanted()
  }

  /** The service got the request during another response, at whose end it is sent again, or at once if that has ended meanwhile. */
  #wantAgain({ id, response, isRepeated = false }: SentRequest): void {
    if (this.#requested?.id === id) this.#requested = undefined
    // A later one stands for both.
    this.#wanted ??= { response, isRepeated: isRepeated || !this.#isBusy }
    // A service that rejects it each time would get it without end.
    if (!isRepeated) this.#requestWanted()
  }

  #requestWanted(): void {
    if (!this.#wanted || this.#isBusy) return
    const wanted = this.#wanted
    const { response } = wanted
    this.#wanted = undefined
    const id = newId('event')
    this.#latest = { ...wanted, id }
    this.send({ type: 'response.create', event_id: id, ...(response && { response }) })
  }
}
