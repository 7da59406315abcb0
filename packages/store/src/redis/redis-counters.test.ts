import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openRedisCounters } from './redis-counters.ts'

describe('counters in Redis', needs('redis-server'), () => {
  it('sum up what several processes count, and are away while the server is', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const [one, other] = await Promise.all([
      openRedisCounters({ url: server.url }),
      openRedisCounters({ url: server.url }),
    ])
    onTestFinished(async () => {
      await Promise.all([one.close(), other.close()])
    })
    for (const counters of [one, other]) {
      await vi.waitFor(
        async () =>
          expect(await counters.add('read', { characters: 0 }, 60)).toEqual({ characters: 0 }),
        20_000,
      )
    }
    expect(await one.add('today', { characters: 5, seconds: 0.5 }, 60)).toEqual({
      characters: 5,
      seconds: 0.5,
    })
    expect(await other.add('today', { characters: 10, seconds: 0.25 }, 60)).toEqual({
      characters: 15,
      seconds: 0.75,
    })
    expect(await other.add('tomorrow', { characters: 0 }, 60)).toEqual({ characters: 0 })
    server.pause()
    expect(await one.add('today', { characters: 1 }, 60)).toBeUndefined()
    server.resume()
  })
})
