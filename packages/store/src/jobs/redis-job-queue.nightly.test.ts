import { setTimeout } from 'node:timers/promises'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRedisJobQueue } from './redis-job-queue.ts'

/** Longer than the queue waits between two pings. */
const pingMs = 6_000

describe('the queue of jobs in Redis', needs('redis-server'), () => {
  it('is closed without an error while the server does not respond', async () => {
    const errors: unknown[] = []
    const note = (error: unknown) => void errors.push(error)
    process.prependListener('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const server = await startRedis()
    onTestFinished(() => server.close())
    const queue = await openRedisJobQueue({ url: server.url })
    queue.work(async () => {})
    await queue.enqueue({ id: 'a', round: 0, priority: 1 })
    server.pause()
    await setTimeout(pingMs)
    await queue.close()
    await setTimeout()
    expect(errors).toEqual([])
  })
})
