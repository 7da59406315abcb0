import { connectRedis, type RedisOptions } from '../redis/redis-connection.ts'
import { packSound, unpackSound } from './sound-file.ts'
import { defaultUnusedMs, type SpeechStore } from './speech-store.ts'

/** Where a store in Redis is, and how long it keeps sounds. */
export interface RedisStoreOptions extends RedisOptions {
  /** How long a sound is kept that nobody uses. Default: 30 days. */
  maxUnusedMs?: number
}

const prefix = 'parlando:sound:'
/** A server takes a moment for a sound of some megabytes, for which nobody waits. */
const writeMs = 2_000
const clearMs = 30_000
/** Of sounds on their way to the server. */
const maxWaitingBytes = 32 * 1024 * 1024

/**
 * Keeps sounds in Redis 6.2 or newer, or in Valkey, for all processes that use the server. Connects in the background.
 * @throws {TypeError} if the address is not one of a Redis server.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<SpeechStore> {
  const redis = await connectRedis(options)
  const { RESP_TYPES } = await import('@redis/client')
  const { maxUnusedMs = defaultUnusedMs } = options
  const expiration = { type: 'EX', value: Math.max(1, Math.round(maxUnusedMs / 1000)) } as const
  const asBuffer = { [RESP_TYPES.BLOB_STRING]: Buffer }
  let waitingBytes = 0
  return {
    async get(key) {
      const bytes = await redis.run((client) =>
        client.withTypeMapping(asBuffer).getEx(prefix + key, expiration),
      )
      return bytes ? unpackSound(bytes) : undefined
    },
    async add(key, sound) {
      const bytes = packSound(sound)
      if (waitingBytes + bytes.length > maxWaitingBytes) return
      waitingBytes += bytes.length
      await redis.run((client) => client.set(prefix + key, bytes, { expiration }), writeMs)
      waitingBytes -= bytes.length
    },
    async clear() {
      await redis.run(async (client) => {
        for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 500 })) {
          if (keys.length > 0) await client.unlink(keys)
        }
      }, clearMs)
    },
    size: () => undefined,
    close: () => redis.close(),
  }
}
