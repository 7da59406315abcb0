import { readdirSync } from 'node:fs'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  blockingEngine,
  inRedis,
  longRequest,
  onDisk,
  openIn,
  openService,
  stores,
  temporaryFolder,
} from './long-text-service.test-case.ts'

for (const [where, create, condition] of stores) {
  describe(`a long text ${where}`, condition, () => {
    it('is interrupted, resumed, and deleted', async () => {
      const gate = blockingEngine(5)
      const service = await openService({ open: await create(), flite: gate.flite })
      const { operation } = await service.submit(longRequest)
      await gate.reached
      const change = async (verb: string) =>
        (await service.request(`/lro/v1alpha/${operation.name}:${verb}`, 'POST')).json()
      expect(await change('pause')).toMatchObject({ done: false, metadata: { state: 'PAUSED' } })
      gate.open()
      await expect.poll(() => service.jobs.running).toBe(0)
      expect((await service.read(operation.name)).metadata.state).toBe('PAUSED')
      await change('resume')
      await service.ended(operation.name)
      const { audioUri } = (await service.read(operation.name)).response
      await service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
      expect((await service.request(`/lro/v1alpha/${operation.name}`)).status).toBe(404)
      expect((await service.request(audioUri)).status).toBe(404)
    })
  })
}

describe('a long text of several services that share a Redis', needs('redis-server'), () => {
  it('is interrupted, resumed, read and deleted through any of them', async () => {
    const open = await inRedis()
    const gate = blockingEngine(5)
    const first = await openService({ open, flite: gate.flite })
    const { operation } = await first.submit(longRequest)
    await gate.reached
    const second = await openService({ open })
    expect((await second.read(operation.name)).metadata.state).toBe('RUNNING')
    const change = async (verb: string) =>
      (await second.request(`/lro/v1alpha/${operation.name}:${verb}`, 'POST')).json()
    expect(await change('pause')).toMatchObject({ done: false, metadata: { state: 'PAUSED' } })
    gate.open()
    await expect.poll(() => first.jobs.running, { timeout: 20_000 }).toBe(0)
    await change('resume')
    await second.ended(operation.name)
    const { response } = await first.read(operation.name)
    const files = [first, second].map(async ({ request }) =>
      Buffer.from(await (await request(response.audioUri)).arrayBuffer()),
    )
    const [one, other] = await Promise.all(files)
    expect(one!.equals(other!)).toBe(true)
    await second.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
    expect((await first.request(`/lro/v1alpha/${operation.name}`)).status).toBe(404)
    expect([first.failures, second.failures]).toEqual([[], []])
  })

  it('cannot be submitted while Redis is away, and goes on when it is back', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const gate = blockingEngine(20)
    const service = await openService({ open: openIn(redis), flite: gate.flite })
    const { operation } = await service.submit(longRequest)
    await gate.reached
    redis.pause()
    const { status, operation: problem } = await service.submit(longRequest)
    expect([status, problem.message]).toEqual([503, expect.stringContaining('The store')])
    gate.open()
    redis.resume()
    await service.ended(operation.name)
    expect((await service.read(operation.name)).metadata.state).toBe('SUCCEEDED')
    expect(service.failures).toEqual([])
  })
})

describe('a long text', () => {
  it('does not begin while it is interrupted, and leaves nothing if it is deleted before its turn', async () => {
    const gate = blockingEngine(1)
    const service = await openService({ flite: gate.flite })
    const { operation: running } = await service.submit({ ...longRequest, text: 'One moment.' })
    await gate.reached
    const waiting = { ...longRequest, text: 'Two people wait. They are patient.' }
    const { operation: paused } = await service.submit(waiting)
    const { operation: deleted } = await service.submit(waiting)
    await service.request(`/lro/v1alpha/${paused.name}:pause`, 'POST')
    await service.request(`/lro/v1alpha/${deleted.name}`, 'DELETE')
    const { operation: last } = await service.submit({ ...longRequest, text: 'The end.' })
    gate.open()
    await service.ended(running.name)
    await service.ended(last.name)
    expect(service.spoken.filter((text) => text.includes('people'))).toEqual([])
    expect((await service.read(paused.name)).metadata.state).toBe('PAUSED')
    expect(service.failures).toEqual([])
  })

  it('leaves neither files nor failures if it is deleted while it is spoken', async () => {
    const gate = blockingEngine(30)
    const folder = temporaryFolder()
    const service = await openService({ open: onDisk(folder), flite: gate.flite })
    const { operation } = await service.submit(longRequest)
    await gate.reached
    const deleting = service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
    gate.open()
    expect((await deleting).status).toBe(200)
    await expect.poll(() => service.jobs.running).toBe(0)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    expect(service.failures).toEqual([])
  })
})
