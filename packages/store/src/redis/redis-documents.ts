import { setTimeout as wait } from 'node:timers/promises'
import type { RedisClientType } from '@redis/client'
import { connectRedis, type RedisOptions } from './redis-connection.ts'
import { isRejectedWhenFull, StoreAwayError, StoreFullError } from './store-errors.ts'

/** Documents that the processes on several machines share, such as cloned voices. Each call throws `StoreAwayError`, and one that adds, `StoreFullError`. */
export interface SharedDocuments {
  /** Changes with each change of the documents, by whichever process. */
  version(): Promise<string>
  /** @returns the documents by name. */
  readAll(): Promise<ReadonlyMap<string, string>>
  /** Whether there is a document of this name. */
  has(name: string): Promise<boolean>
  /** Writes a document, or replaces it. */
  write(name: string, document: string): Promise<void>
  /** Writes bytes that belong to a document, which is written next. */
  writeAttachment(name: string, bytes: Uint8Array): Promise<void>
  /** @returns the bytes that belong to a document. */
  readAttachment(name: string): Promise<Buffer | undefined>
  /** Removes a document with its attachment. Removing an unknown one does nothing. */
  remove(name: string): Promise<void>
  /** Closes the connection. */
  close(): Promise<void>
}

/** Which documents, and where. */
export interface SharedDocumentsOptions extends RedisOptions {
  /** What the documents are, such as `voices`: documents of another kind are others. */
  kind: string
}

/** A server that is full rejects a transaction that also counts, but not what a script writes after it has deleted something. */
const removeScript = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return redis.call('INCR', KEYS[3])`

/** Somebody waits for the result, and gets an error after this time. */
const limitMs = 2_000

/**
 * Opens documents in Redis 6.2 or newer, or in Valkey. Waits for the server at most 2 s, then connects in the background.
 * @throws {TypeError} if the address is not one of a Redis server.
 */
export async function openSharedDocuments({
  kind,
  ...options
}: SharedDocumentsOptions): Promise<SharedDocuments> {
  const redis = await connectRedis(options)
  const limit = new AbortController()
  const passed = wait(limitMs, undefined, { signal: limit.signal }).catch(() => {})
  await Promise.race([redis.ready, passed])
  limit.abort()
  const { RESP_TYPES } = await import('@redis/client')
  const asBuffer = { [RESP_TYPES.BLOB_STRING]: Buffer }
  const prefix = `parlando:${kind}`
  const versionKey = `${prefix}:version`
  const attachmentKey = (name: string) => `${prefix}:attachment:${name}`
  const run = async <Result>(command: (client: RedisClientType) => Promise<Result>) => {
    const outcome = await redis.run((client) => outcomeOf(command(client)), limitMs)
    if (!outcome) throw new StoreAwayError('The store is away')
    if (outcome === 'full') throw new StoreFullError('The store is full')
    return outcome.value
  }
  return {
    version: () => run(async (client) => (await client.get(versionKey)) ?? '0'),
    readAll: () => run(async (client) => new Map(Object.entries(await client.hGetAll(prefix)))),
    has: (name) => run(async (client) => (await client.hExists(prefix, name)) === 1),
    async write(name, document) {
      await run((client) => client.multi().hSet(prefix, name, document).incr(versionKey).exec())
    },
    async writeAttachment(name, bytes) {
      await run((client) => client.set(attachmentKey(name), Buffer.from(bytes)))
    },
    readAttachment: (name) =>
      run(async (client) => {
        const bytes = await client.withTypeMapping(asBuffer).get(attachmentKey(name))
        return bytes ?? undefined
      }),
    async remove(name) {
      const keys = [prefix, attachmentKey(name), versionKey]
      await run((client) => client.eval(removeScript, { keys, arguments: [name] }))
    },
    close: () => redis.close(),
  }
}

async function outcomeOf<Result>(command: Promise<Result>): Promise<{ value: Result } | 'full'> {
  try {
    return { value: await command }
  } catch (error) {
    if (isRejectedWhenFull(error)) return 'full'
    throw error
  }
}
