import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import {
  blockingEngine,
  longRequest,
  openService,
  stores,
  withFiles,
} from './long-text-service.test-case.ts'

for (const [where, create, condition] of stores) {
  describe(`a long text ${where}`, condition, () => {
    it('is one job for each idempotency key, also after its end and a restart, until it is deleted', async () => {
      const open = await create()
      const first = await openService({ open })
      const key = { 'idempotency-key': 'chapter one' }
      const submissions = await Promise.all([1, 2].map(() => first.submit(speechRequest, key)))
      const [{ operation }] = submissions as [(typeof submissions)[0]]
      expect(new Set(submissions.map((one) => one.operation.name)).size).toBe(1)
      await first.ended(operation.name)
      await first.jobs.close()
      const second = await openService({ open })
      expect((await second.submit(speechRequest, key)).operation).toEqual(
        await second.read(operation.name),
      )
      const others = [
        await second.submit(speechRequest),
        await second.submit(speechRequest, { 'idempotency-key': 'chapter two' }),
        await second.submit(speechRequest, { ...key, authorization: `Basic ${keys.typed}` }),
      ]
      const names = [operation, ...others.map((one) => one.operation)].map(({ name }) => name)
      expect(new Set(names).size).toBe(4)
      await second.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
      const { operation: again } = await second.submit(speechRequest, key)
      expect(again).toMatchObject({ name: operation.name, done: false })
      for (const { name } of [again, ...others.map((one) => one.operation)])
        await second.ended(name)
      expect([first.spoken.length, second.spoken.length]).toEqual([1, 4])
    })

    it('that is deleted and submitted again while it is spoken is spoken anew', async () => {
      const gate = blockingEngine(5)
      const service = await openService({ open: await create(), flite: gate.flite })
      const key = { 'idempotency-key': 'chapter one' }
      const { operation } = await service.submit(longRequest, key)
      await gate.reached
      await service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
      const { operation: again } = await service.submit(longRequest, key)
      expect(again).toMatchObject({ name: operation.name, done: false })
      gate.open()
      await service.ended(operation.name)
      expect((await service.read(operation.name)).metadata.state).toBe('SUCCEEDED')
    })

    it('that is deleted and submitted again while its end is written is spoken anew', async () => {
      let reach = () => {}
      const reached = new Promise<void>((resolve) => {
        reach = resolve
      })
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const open = withFiles(await create(), ({ replace }) => ({
        async replace(...change) {
          reach()
          await released
          return replace(...change)
        },
      }))
      const service = await openService({ open })
      const key = { 'idempotency-key': 'chapter one' }
      const { operation } = await service.submit(speechRequest, key)
      await reached
      await service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
      const { operation: again } = await service.submit(speechRequest, key)
      expect(again).toMatchObject({ name: operation.name, done: false })
      release()
      await service.ended(operation.name)
      expect((await service.read(operation.name)).metadata.state).toBe('SUCCEEDED')
      expect(service.spoken.length).toBe(2)
      expect(service.failures).toEqual([])
    })

    it('whose service is killed while it is submitted begins when it is submitted again', async () => {
      const open = await create()
      const store = await open()
      let reach = () => {}
      const reached = new Promise<void>((resolve) => {
        reach = resolve
      })
      const writePiece = () => {
        reach()
        return new Promise<void>(() => {})
      }
      const killed = await openService({
        open: async () => ({ ...store, writePiece, work() {} }),
      })
      const key = { 'idempotency-key': 'chapter one' }
      void killed.submit(speechRequest, key)
      await reached
      const service = await openService({ open })
      const { operation } = await service.submit(speechRequest, key)
      await service.ended(operation.name)
      expect([killed.spoken.length, service.spoken.length]).toEqual([0, 1])
    })
  })
}

describe('a long text', () => {
  it.each([
    ['an idempotency key with another text', 'chapter one', 422],
    ['an empty idempotency key', '', 400],
    ['a long idempotency key', 'a'.repeat(256), 400],
  ])('is rejected at once: %s', async (_what, key, status) => {
    const service = await openService()
    await service.submit(speechRequest, { 'idempotency-key': 'chapter one' })
    const response = await service.submit(longRequest, { 'idempotency-key': key })
    expect([response.status, response.operation.code]).toEqual([status, 3])
    expect(response.operation.message).toMatch(/^Idempotency-Key: /)
  })
})
