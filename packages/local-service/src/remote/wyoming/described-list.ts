import { ZodError } from 'zod'
import { onAbort, withTimeLimit } from '../../concurrency/abort-signals.ts'
import { describeServer } from './open-connection.ts'
import type { WyomingConnection } from './wyoming-connection.ts'

/** What a Wyoming server offers, refreshed when it is requested and outdated. */
export interface DescribedList<Item> {
  /** The known items. If they are outdated, this starts a refresh for later calls. */
  list(): readonly Item[]
  /** Lists them again. After a failure the known ones are kept; the promise never rejects. */
  refresh(): Promise<void>
  close(): void
}

export interface DescribedListOptions<Item> {
  open(signal: AbortSignal): Promise<WyomingConnection>
  /** Reads the items in the data of the event `info`. @throws {Error | ZodError} if they are malformed. */
  read(info: unknown): readonly Item[]
  /** Receives the reason if the items cannot be listed, a sentence, and not again until they were listed or the reason is another one. */
  warn(reason: string): void
}

const timeoutMs = 5_000
const maxAgeMs = 60_000

export function createDescribedList<Item>({
  open,
  read,
  warn,
}: DescribedListOptions<Item>): DescribedList<Item> {
  const closing = new AbortController()
  let items: readonly Item[] = []
  let problem: string | undefined
  let refreshedAtMs = Number.NEGATIVE_INFINITY

  const refresh = async () => {
    refreshedAtMs = performance.now()
    const signal = withTimeLimit(timeoutMs, closing.signal)
    try {
      const connection = await open(signal)
      onAbort(signal, connection.destroy)
      items = read(await describeServer(connection).finally(connection.destroy))
      problem = undefined
    } catch (error) {
      if (closing.signal.aborted) return
      const reason = reasonOf(error)
      if (reason !== problem) warn(reason)
      problem = reason
    }
  }

  return {
    list() {
      if (performance.now() - refreshedAtMs > maxAgeMs) void refresh()
      return items
    },
    refresh,
    close: () => closing.abort(),
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ZodError ? 'It sent a list that is malformed' : (error as Error).message
}
