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
  /** `code` is that of the error, if there was one. */
  | { type: 'end'; code?: string }
)

export interface Trace {
  request(): void
  firstByte(status: number): void
  end(error?: unknown): void
}

const noTrace: Trace = { request() {}, firstByte() {}, end() {} }

/** The events of one request; each `end` but the first is left out. */
export function createTrace(
  call: Pick<DebugEvent, 'what' | 'method' | 'path'>,
  requestId: string,
  debug: ((event: DebugEvent) => void) | undefined,
): Trace {
  if (!debug) return noTrace
  const startedAt = performance.now()
  let hasEnded = false
  const { what, method, path } = call
  const shared = () => ({
    requestId,
    what,
    method,
    path,
    elapsedMs: performance.now() - startedAt,
  })
  return {
    request: () => debug({ ...shared(), type: 'request' }),
    firstByte: (status: number) => debug({ ...shared(), type: 'first-byte', status }),
    end(error?: unknown) {
      if (hasEnded) return
      hasEnded = true
      const code = (error as { code?: string } | undefined)?.code
      debug({ ...shared(), type: 'end', ...(error !== undefined && { code: code ?? 'ABORTED' }) })
    },
  }
}
