import { setImmediate as settle } from 'node:timers/promises'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectRedis } from './redis-connection.ts'

describe('a connection to Redis', needs('redis-server'), () => {
  it('takes no command until all late ones have ended', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const redis = await connectRedis({ url: server.url })
    onTestFinished(() => redis.close())
    await redis.ready
    const ends: (() => void)[] = []
    const endless = () => new Promise<void>((resolve) => ends.push(resolve))
    await Promise.all([redis.run(endless, 1), redis.run(endless, 1)])
    const answers: unknown[] = []
    for (const end of ends) {
      answers.push(await redis.run(async () => 'run', 60_000))
      end()
      await settle()
    }
    expect(answers).toEqual([undefined, undefined])
    await vi.waitFor(async () => {
      expect(await redis.run(async () => 'run', 60_000)).toBe('run')
    }, 20_000)
  })
})
