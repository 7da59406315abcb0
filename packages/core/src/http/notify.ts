/**
 * Calls a user callback. If it throws, the process emits a warning: an exception here would fail the request or,
 * where nothing catches it, end the process.
 */
export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
