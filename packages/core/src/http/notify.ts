/**
 * Tells a hook of the caller's, which only watches: what it throws becomes a warning of the process, since in its place
 * it would change the call, or end the process where nobody can catch it.
 */
export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
