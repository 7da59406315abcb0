import { clearImmediate, setImmediate } from 'node:timers'

/** The longest timeout that Node accepts. */
export const maxTimeoutMs = 2 ** 31 - 1

/** Waits for shared work until the signal aborts the wait, not the work. @throws the signal's reason. */
export function unlessAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** Rejects as the work does, and never resolves. */
export function rejectionOf(work: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => work.catch(reject))
}

/** Waits for work that may take a limited time. @throws the error when it takes longer; the work goes on. */
export function withinTime<Result>(
  limitMs: number,
  work: Promise<Result>,
  error: () => unknown,
): Promise<Result> {
  return unlessLate(work, error, (end) => {
    const timer = setTimeout(end, limitMs)
    return () => clearTimeout(timer)
  })
}

/** The same for work in which this process may take part: see `afterRunningTime`. */
export function withinRunningTime<Result>(
  limitMs: number,
  work: Promise<Result>,
  error: () => unknown,
): Promise<Result> {
  return unlessLate(work, error, (end) => afterRunningTime(limitMs, end))
}

const stepMs = 50

/**
 * Calls a function after a time. A moment in which this process does not run, because it or others keep the machine busy, counts as
 * a twentieth of a second, however long it is. @returns a function that prevents the call.
 */
export function afterRunningTime(durationMs: number, call: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (restMs: number) => {
    const next = () => (restMs > stepMs ? wait(restMs - stepMs) : call())
    timer = setTimeout(next, Math.min(restMs, stepMs))
  }
  wait(durationMs)
  return () => clearTimeout(timer)
}

/** @param start starts a timer that calls back when it is too late. It returns a function that prevents that. */
function unlessLate<Result>(
  work: Promise<Result>,
  error: () => unknown,
  start: (end: () => void) => () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let ending: NodeJS.Immediate | undefined
    const cancel = start(() => {
      // A process that was busy runs its timers before it reads what has arrived meanwhile.
      ending = setImmediate(() => reject(error()))
    })
    work.then(resolve, reject).finally(() => {
      cancel()
      clearImmediate(ending)
    })
  })
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

/** @returns a signal that is aborted this long after another one, with its reason. */
export function abortedLater(signal: AbortSignal, delayMs: number): AbortSignal {
  const later = new AbortController()
  const wait = () => setTimeout(() => later.abort(signal.reason), delayMs).unref()
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  return later.signal
}

/** Waits. @throws the reason of the signal; the delay of Node throws an error of its own. */
export async function abortableDelay(durationMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, durationMs)
  })
  await unlessAborted(over, signal).finally(() => clearTimeout(timer))
}

/** Resolves when all have settled, or this much later than the first one has fulfilled. */
export async function readyTogether(
  promises: readonly Promise<unknown>[],
  maxLateMs: number,
): Promise<void> {
  const over = new AbortController()
  const all = Promise.allSettled(promises)
  const late = Promise.any(promises).then(() => abortableDelay(maxLateMs, over.signal))
  await Promise.race([all, late.catch(() => all)])
  over.abort()
}
