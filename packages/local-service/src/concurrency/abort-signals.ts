/** Calls back when the signal is aborted, or at once if it already is: a signal never repeats its event. */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
}

/**
 * The result of work that may notice an abort late.
 * @throws the reason of the signal as soon as it is aborted. The result of the work is then dropped.
 */
export async function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    onAbort(signal, abort)
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * @returns a signal that is aborted as soon as one of these is, or after the limit. `AbortSignal.any` alone does not keep an
 * `AbortSignal.timeout`: with Node 20, the limit is lost in the next garbage collection.
 */
export function withTimeLimit(limitMs: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = new AbortController()
  const end = () => limit.abort(new DOMException('The time limit has passed', 'TimeoutError'))
  // The timer keeps the controller, and not the process running.
  setTimeout(end, limitMs).unref()
  return AbortSignal.any([...signals, limit.signal])
}
