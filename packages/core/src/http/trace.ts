import { type ErrorCode, ParlandoError } from '../errors.ts'
import { notify } from './notify.ts'

/** What happens on the wire, for those who look for a fault. Never holds a text, audio or the key. */
export type DebugEvent = {
  requestId: string
  /** What is being done, such as `Speech`. */
  what: string
  method: string
  /** Without its query. */
  path: string
  /** Since the request was begun. */
  elapsedMs: number
} & (
  | { type: 'request' }
  | { type: 'first-byte'; status: number }
  /**
   * `code` is that of the error by which the request ended, if it did: of a refusal, of an answer that broke off or was
   * given up. It is `ABORTED` where a signal ended it or the loop was left. What makes no sense once it is whole has none.
   */
  | { type: 'end'; code?: ErrorCode }
)

export interface Trace {
  request(): void
  firstByte(status: number): void
  end(code?: ErrorCode): void
}

const noTrace: Trace = { request() {}, firstByte() {}, end() {} }

/** The events of one request; each `end` but the first is left out. */
export function createTrace(
  request: Pick<DebugEvent, 'what' | 'method' | 'path'>,
  requestId: string,
  debug: ((event: DebugEvent) => void) | undefined,
): Trace {
  if (!debug) return noTrace
  const startedAt = performance.now()
  let hasEnded = false
  const { what, method, path } = request
  const shared = () => ({
    requestId,
    what,
    method,
    path,
    elapsedMs: performance.now() - startedAt,
  })
  return {
    request: () => notify(debug, { ...shared(), type: 'request' }),
    firstByte: (status) => notify(debug, { ...shared(), type: 'first-byte', status }),
    end(code) {
      if (hasEnded) return
      hasEnded = true
      notify(debug, { ...shared(), type: 'end', ...(code && { code }) })
    },
  }
}

/** The code of what a call throws: what is none of our errors is the reason of an abort. */
export function codeOf(error: unknown): ErrorCode {
  return ParlandoError.isInstance(error) ? error.code : 'ABORTED'
}
