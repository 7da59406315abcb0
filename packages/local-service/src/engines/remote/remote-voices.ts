import { withTimeLimit } from '../../concurrency/abort-signals.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { BusyError } from '../../errors/service-error.ts'

/** The voices of a server, and whether the server can be used. */
export interface RemoteVoices<Voice> {
  /** The known voices. If they are outdated, this starts a refresh for later calls. */
  list(): readonly Voice[]
  /** Why the server cannot be used at the moment. Absent if it can. */
  readonly problem: string | undefined
  /** @throws {EngineError} at once if the server cannot be used, so that no request waits for it. */
  throwIfDown(): void
  /** Lists the voices again. After a failure the known voices are kept; the promise never rejects. */
  refresh(): Promise<void>
  close(): void
}

export interface RemoteVoicesOptions<Voice> {
  /** The subject of a sentence, such as `The Piper server, http://127.0.0.1:5000,`. */
  subject: string
  /** @throws {Error} a sentence about the server. */
  read(signal: AbortSignal): Promise<readonly Voice[]>
  /** Receives each new problem. */
  warn(problem: string): void
}

const timeoutMs = 5_000
const maxAgeMs = 60_000
/** How many voices of a server are offered. */
export const maxVoices = 10_000
const firstDelayMs = 1_000
const maxDelayMs = 60_000

/**
 * Lists the voices of a server when they are requested and outdated. While the server fails, it is asked again by itself:
 * after a second, then after twice the last delay, up to a minute.
 */
export function createRemoteVoices<Voice>({
  subject,
  read,
  warn,
}: RemoteVoicesOptions<Voice>): RemoteVoices<Voice> {
  const closing = new AbortController()
  let voices: readonly Voice[] = []
  let problem: string | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let delayMs = firstDelayMs
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined

  const readVoices = async () => {
    clearTimeout(timer)
    const signal = withTimeLimit(timeoutMs, closing.signal)
    try {
      voices = (await read(signal)).slice(0, maxVoices)
      problem = undefined
      delayMs = firstDelayMs
    } catch (error) {
      if (closing.signal.aborted) return
      const reason = signal.aborted
        ? `${subject} did not list its voices within ${timeoutMs / 1000} s`
        : (error as Error).message
      if (problem !== reason) warn(reason)
      problem = reason
      // It does not keep the process running.
      timer = setTimeout(() => void refresh(), delayMs).unref()
      delayMs = Math.min(2 * delayMs, maxDelayMs)
    } finally {
      readAtMs = performance.now()
    }
  }

  const refresh = (): Promise<void> => {
    reading ??= readVoices().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    list() {
      if (problem === undefined && performance.now() - readAtMs > maxAgeMs) void refresh()
      return voices
    },
    get problem() {
      return problem
    },
    throwIfDown() {
      if (problem !== undefined) throw downError(problem, delayMs)
    },
    refresh,
    close() {
      clearTimeout(timer)
      closing.abort()
    },
  }
}

function downError(problem: string, delayMs: number): EngineError {
  const message = `${problem}. The service tries again by itself`
  const response = new BusyError(message, Math.ceil(delayMs / 1000), 'UNAVAILABLE')
  return new EngineError('unavailable', message, { response })
}
