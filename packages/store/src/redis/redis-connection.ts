import type { RedisClientType } from '@redis/client'
import { endsWithin } from '../ends-within.ts'

/** Where a Redis server is. */
export interface RedisOptions {
  /** Such as `redis://localhost:6379/0`, or `rediss://…` for TLS. */
  url: string
  /** Default: the one in the address, or none. */
  password?: string
  /** Called with a reason when the server cannot be reached, and not again until it was. */
  onProblem?(reason: string): void
}

/** What waits for Redis would otherwise make the speech itself. */
const limitMs = 50
/** After a server has gone without closing its connection. */
const pingMs = 2_000
const silenceMs = 5_000
const maxReconnectMs = 5_000

/** How long to wait before the next try to connect. */
export const reconnectDelayMs = (retries: number): number =>
  Math.min(100 * 2 ** Math.min(retries, 10), maxReconnectMs)

/** A connection that never makes its callers wait for a server that is away. */
export interface RedisConnection {
  /** Resolves when the server was reached for the first time. */
  readonly ready: Promise<void>
  /** @returns nothing if the server is away, or does not respond within `ms` (default 50 ms). */
  run<Result>(
    command: (client: RedisClientType) => Promise<Result>,
    ms?: number,
  ): Promise<Result | undefined>
  close(): Promise<void>
}

/**
 * Connects in the background, and again after each loss.
 * @throws {TypeError} if the address is not one of a Redis server.
 */
export async function connectRedis(options: RedisOptions): Promise<RedisConnection> {
  const { url, password, onProblem = () => {} } = options
  checkAddress(url)
  // Imported on demand: most processes need no Redis.
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    ...(password && { password }),
    disableOfflineQueue: true,
    commandsQueueMaxLength: 1000,
    pingInterval: pingMs,
    socket: {
      socketTimeout: silenceMs,
      connectTimeout: silenceMs,
      reconnectStrategy: reconnectDelayMs,
    },
  }) as RedisClientType
  let isFailing = false
  const noteFailure = (error: Error & { code?: string }) => {
    // A connection to several addresses fails with an error without a message.
    if (!isFailing) onProblem(error.message || error.code || error.name)
    isFailing = true
    return undefined
  }
  const noteSuccess = <Result>(result: Result) => {
    isFailing = false
    return result
  }
  client.on('error', noteFailure)
  const ready = new Promise<void>((resolve) => client.once('ready', resolve))
  // It goes on trying until it is closed.
  client.connect().catch(() => {})

  /** Commands that take too long: the next ones would wait behind them. */
  const late = new Set<Promise<unknown>>()
  return {
    ready,
    async run(command, ms = limitMs) {
      if (!client.isReady || late.size > 0) return undefined
      const running = command(client).then(noteSuccess, noteFailure)
      if (await endsWithin(ms, running)) return running
      late.add(running)
      void running.finally(() => late.delete(running))
      return undefined
    },
    async close() {
      client.destroy()
    },
  }
}

function checkAddress(url: string): void {
  const isRedis = URL.canParse(url) && ['redis:', 'rediss:'].includes(new URL(url).protocol)
  // Without the address, which may contain a password.
  if (!isRedis) throw new TypeError('The address of Redis must be such as redis://localhost:6379')
}
