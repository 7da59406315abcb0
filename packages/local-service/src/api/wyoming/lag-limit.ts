/** How much longer than its sound a recording may take, in milliseconds. */
export const maxLagMs = 30_000

/** Watches a recorder that sends its sound too slowly, or never ends it, while others wait for the recogniser. */
export interface LagLimit {
  /** The service waits for the recorder. @param soundMs the length of the sound so far. */
  wait(soundMs: number): void
  /** The service no longer waits. */
  stop(): void
}

/** @param onExceeded called when the service has waited for 30 s longer than the sound takes. */
export function createLagLimit(onExceeded: () => void): LagLimit {
  let waitedMs = 0
  let since: number | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    wait(soundMs) {
      since = performance.now()
      timer = setTimeout(onExceeded, maxLagMs + soundMs - waitedMs)
    },
    stop() {
      clearTimeout(timer)
      if (since !== undefined) waitedMs += performance.now() - since
      since = undefined
    },
  }
}
