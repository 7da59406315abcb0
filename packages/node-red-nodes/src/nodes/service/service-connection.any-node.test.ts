import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { startTestServer } from '@parlando/test-support/test-server'
import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { createDeviceService } from './device-service.ts'
import { connectDevice, connectHosted } from './service-connection.ts'

it('ends the service on this device when an invalid limit prevents a client', async () => {
  const { processes, start } = createFakeDeviceProcesses()
  const device = createDeviceService({ start, lingerMs: 0 })
  const connection = connectDevice(device, { concurrent: '0' }, () => {})
  await expect(connection.client()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await connection.close()
  expect(processes).toHaveLength(1)
  await expect.poll(() => processes[0]!.isRunning).toBe(false)
})

it('closes a client that is created while its connection closes', async () => {
  const server = await startTestServer((response) => void response.end('{"voices":[]}'))
  const RED = { _: (key: string) => key } as unknown as NodeAPI
  const connection = connectHosted(RED, { baseUrl: server.baseUrl, apiKey: '' }, {})
  const client = connection.client()
  await connection.close()
  await expect((await client).listVoices()).rejects.toThrow('the client is closed')
  expect(server.requests).toEqual([])
})
