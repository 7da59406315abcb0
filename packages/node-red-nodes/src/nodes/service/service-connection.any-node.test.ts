import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { expect, it } from 'vitest'
import { createDeviceService } from './device-service.ts'
import { connectDevice } from './service-connection.ts'

it('ends the service on this device when an invalid limit prevents a client', async () => {
  const { processes, start } = createFakeDeviceProcesses()
  const device = createDeviceService({ start, lingerMs: 0 })
  const connection = connectDevice(device, { concurrent: '0' }, () => {})
  await expect(connection.client()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await connection.close()
  expect(processes).toHaveLength(1)
  await expect.poll(() => processes[0]!.isRunning).toBe(false)
})
