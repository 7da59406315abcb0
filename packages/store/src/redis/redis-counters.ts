import { connectRedis, type RedisOptions } from './redis-connection.ts'

/** Numbers that several processes count together. */
export interface SharedCounters {
  /**
   * Adds to the numbers of a counter, and returns their sums over all processes. An amount of 0 only reads.
   * @param expiresInSeconds from now; then the counter begins again with 0.
   * @returns nothing if Redis is away: nothing was added then, unless it responds after two seconds.
   */
  add(
    name: string,
    amounts: Readonly<Record<string, number>>,
    expiresInSeconds: number,
  ): Promise<Record<string, number> | undefined>
  /** Closes the connection. The numbers remain. */
  close(): Promise<void>
}

const prefix = 'parlando:count:'
/** Nobody waits for a sum, and what responds too late is counted twice. */
const limitMs = 2_000

/**
 * Counts in Redis 6.2 or newer, or in Valkey. Connects in the background.
 * @throws {TypeError} if the address is not one of a Redis server.
 */
export async function openRedisCounters(options: RedisOptions): Promise<SharedCounters> {
  const redis = await connectRedis(options)
  return {
    async add(name, amounts, expiresInSeconds) {
      const sums = await redis.run((client) => {
        const batch = client.multi()
        for (const [field, amount] of Object.entries(amounts)) {
          batch.hIncrByFloat(prefix + name, field, amount)
        }
        return batch.expire(prefix + name, expiresInSeconds).exec()
      }, limitMs)
      if (!sums) return undefined
      const fields = Object.keys(amounts)
      return Object.fromEntries(fields.map((field, index) => [field, Number(sums[index])]))
    },
    close: () => redis.close(),
  }
}
