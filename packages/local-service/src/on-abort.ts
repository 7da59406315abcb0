/** Calls back when the signal is aborted, or at once if it already is: a signal never repeats its event. */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
}
