import { mkdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { openSharedDocuments } from '@parlando/store'
import { findProgram } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'

/** A Redis server, in which services share their voices, sound and jobs. */
export interface Store {
  readonly url: string
  /** Stops the server for a time: connections stay open, and nothing responds. */
  pause(ms: number): Promise<void>
  /** Kills the server, and starts it again after a time, with all that it had. */
  kill(ms: number): Promise<void>
  /** The ids of the voices that it has. */
  voices(): Promise<string[]>
  close(): Promise<void>
}

/** So little that it deletes sounds all the time. */
const maxMemoryBytes = 256 * 2 ** 20

/** Starts Redis with the settings of `deploy/compose.yaml`. @returns undefined if it is not installed. */
export async function startStore(folder: string): Promise<Store | undefined> {
  if (!findProgram('redis-server')) return undefined
  await mkdir(folder)
  const settings = { folder, maxMemoryBytes, policy: 'volatile-lru' } as const
  let redis = await startRedis(settings)
  const { url, port } = redis
  return {
    url,
    async pause(ms) {
      redis.pause()
      await setTimeout(ms)
      redis.resume()
    },
    async kill(ms) {
      await redis.close()
      await setTimeout(ms)
      redis = await startRedis({ ...settings, port })
    },
    async voices() {
      const documents = await openSharedDocuments({ url, kind: 'voices' })
      const voices = await documents.readAll()
      await documents.close()
      return [...voices.keys()]
    },
    close: () => redis.close(),
  }
}
