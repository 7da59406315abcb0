import type { RealtimeClientEvent } from '../../wire/realtime-client-events.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'
import type { RealtimeResponseSettings } from '../../wire/realtime-session.ts'

/** Requests responses, one at a time. */
export interface ResponseRequests {
  /** The id of the response in progress. */
  readonly activeId: string | undefined
  /** Whether a response is in progress or requested. */
  readonly isOpen: boolean
  /** Requests a response as soon as none is in progress. */
  request(response?: RealtimeResponseSettings): void
  /** Takes an event of the service. */
  note(event: RealtimeServerEvent): void
  /** Forgets the response in progress and the requests, which a new session does not have. */
  reset(): void
}

export function createResponseRequests(
  send: (event: RealtimeClientEvent) => void,
): ResponseRequests {
  let activeId: string | undefined
  let isRequested = false
  let wanted: { response: RealtimeResponseSettings | undefined } | undefined

  const requestWanted = () => {
    if (!wanted || isRequested || activeId !== undefined) return
    const { response } = wanted
    wanted = undefined
    isRequested = true
    send({ type: 'response.create', ...(response && { response }) })
  }
  return {
    get activeId() {
      return activeId
    },
    get isOpen() {
      return activeId !== undefined || isRequested || wanted !== undefined
    },
    request(response) {
      wanted = { response }
      requestWanted()
    },
    note(event) {
      switch (event.type) {
        case 'response.created':
          isRequested = false
          activeId = event.response.id
          return
        case 'response.done':
          activeId = undefined
          return requestWanted()
        case 'error':
          // The request may be what failed.
          isRequested = false
      }
    },
    reset() {
      activeId = undefined
      isRequested = false
      wanted = undefined
    },
  }
}
