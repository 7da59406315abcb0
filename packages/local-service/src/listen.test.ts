import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startLocalService } from './listen.ts'

it('listens on a free port of this machine, and no longer when it is closed', async () => {
  const service = await startLocalService()
  expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect((await fetch(`${service.baseUrl}/voices/v1/voices`)).status).toBe(200)
  const idle = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  await service.close()
  await expect(fetch(`${service.baseUrl}/voices/v1/voices`)).rejects.toThrow()
})

it('says that a port is taken', async () => {
  const service = await startLocalService()
  const port = Number(new URL(service.baseUrl).port)
  await expect(startLocalService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await service.close()
})
