import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { keys } from '@parlando/test-support/secrets/keys'
import { saveRecord } from '@parlando/test-support/secrets/records'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { holdEventLoop } from '@parlando/test-support/watch/event-loop'
import { createClient } from '@redis/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openRedisStore, type RedisStoreOptions } from './redis-store.ts'
import { soundKey } from './sound-key.ts'

const key = soundKey({ text: 'The door is open.' })
const sound = { audio: Buffer.alloc(5000, 7), facts: { encoding: 'MP3' } }

async function openStore(options: RedisStoreOptions) {
  const store = await openRedisStore(options)
  onTestFinished(() => store.close())
  return store
}

async function untilKept(store: Awaited<ReturnType<typeof openStore>>) {
  await vi.waitFor(async () => {
    await store.add(key, sound)
    expect(await store.get(key)).toEqual(sound)
  }, 20_000)
}

describe('a store in Redis', needs('redis-server'), () => {
  it('shares its sounds with other processes, with the password of the server', async () => {
    const server = await startRedis({ password: keys.redis })
    onTestFinished(() => server.close())
    const [one, other] = await Promise.all([
      openStore({ url: server.url, password: keys.redis }),
      openStore({ url: server.url.replace('//', `//:${keys.redis}@`) }),
    ])
    await untilKept(one)
    await vi.waitFor(async () => expect(await other.get(key)).toEqual(sound), 20_000)
  })

  it('keeps a sound that nobody has used yet no longer than it should', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const store = await openStore({ url: server.url, maxUnusedMs: 60_000 })
    const client = createClient({ url: server.url })
    await client.connect()
    onTestFinished(() => client.destroy())
    await vi.waitFor(async () => {
      await store.add(key, sound)
      const seconds = await client.ttl(`parlando:sound:${key}`)
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(60)
    }, 20_000)
  })

  it('is a miss at once while the server hangs, and is there again after that', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const store = await openStore({ url: server.url })
    await untilKept(store)
    server.pause()
    expect(await store.get(key)).toBeUndefined()
    // No further caller waits for its 50 ms.
    const calls = Array.from({ length: 1000 }, () => store.get(key))
    expect(await Promise.race([Promise.all(calls), new Promise(setImmediate)])).toBeDefined()
    server.resume()
    await vi.waitFor(async () => expect(await store.get(key)).toEqual(sound), 20_000)
  })

  it('is no miss because this process was busy while the sound arrived', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const store = await openStore({ url: server.url })
    await untilKept(store)
    // On a busy machine, the server can need longer.
    await vi.waitFor(async () => {
      const reading = store.get(key)
      // The client sends its commands in the next turn.
      await turn()
      holdEventLoop(200)
      expect(await reading).toEqual(sound)
    }, 20_000)
  })

  it('connects again after the server was away, and says once why there is no sound', async () => {
    const server = await startRedis()
    const onProblem = vi.fn()
    const store = await openStore({ url: server.url, onProblem })
    await untilKept(store)
    await server.close()
    expect(await store.get(key)).toBeUndefined()
    await store.add(key, sound)
    await vi.waitFor(() => expect(onProblem).toHaveBeenCalledTimes(1), 20_000)
    const next = await startRedis({ port: server.port })
    onTestFinished(() => next.close())
    await untilKept(store)
  })

  it('reports a wrong password, but not which', async () => {
    const server = await startRedis({ password: keys.redis })
    onTestFinished(() => server.close())
    const onProblem = vi.fn()
    const store = await openStore({ url: server.url, password: keys.wrong, onProblem })
    await vi.waitFor(() => expect(onProblem).toHaveBeenCalled(), 20_000)
    expect(await store.get(key)).toBeUndefined()
    saveRecord('errors', inspect(onProblem.mock.calls, { depth: 9, showHidden: true }))
    expect(onProblem.mock.calls.join()).toMatch(/password/i)
    expect(onProblem.mock.calls.join()).not.toMatch(/guess-work/)
  })
})

it.each(['localhost:6379', 'http://localhost', '', 'redis'])(
  'rejects the address %j before it connects',
  async (url) => {
    await expect(openRedisStore({ url })).rejects.toThrow(/redis:\/\/localhost:6379/)
  },
)

it('misses nothing but the hits if no server is there', async () => {
  const onProblem = vi.fn()
  const store = await openStore({ url: unreachableUrl.replace('http', 'redis'), onProblem })
  await vi.waitFor(() => expect(onProblem).toHaveBeenCalled(), 20_000)
  await store.add(key, sound)
  expect(await store.get(key)).toBeUndefined()
})
