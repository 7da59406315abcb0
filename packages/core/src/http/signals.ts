/** Combines signals: the result aborts as soon as one of them does. @returns `undefined` if no signal is given. */
export function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/**
 * The result of work that may notice an abort late.
 * @throws the signal's reason as soon as it is aborted. The result of the work is then dropped.
 */
export async function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
