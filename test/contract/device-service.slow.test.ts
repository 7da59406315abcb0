import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  createDeviceService,
  startOnDevice,
} from '../../packages/node-red-nodes/src/nodes/service/device-service.ts'
import { HomeAssistantOffer } from '../../packages/node-red-nodes/src/nodes/service/home-assistant-offer.ts'

async function useDevice() {
  const userFolder = await mkdtemp(join(tmpdir(), 'parlando-device-'))
  onTestFinished(async () => {
    await vi.waitFor(() => expect(runningChildProcesses()).toEqual([]), 60_000)
    await rm(userFolder, { recursive: true })
  })
  const start = startOnDevice(userFolder, { offer: new HomeAssistantOffer(), onProblem() {} })
  return createDeviceService({ start })
}

it('the service on this device is a process that speaks, survives a deploy and exits when it is unused', async () => {
  const device = await useDevice()
  const first = device.acquire(() => {})
  const address = await first.address
  const client = createClient(address)
  expect((await client.listVoices()).voices).not.toEqual([])
  await client.close()
  first.release()
  const second = device.acquire(() => {})
  expect(await second.address).toEqual(address)
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  expect(runningChildProcesses()).toHaveLength(1)
  second.release()
  expect(runningChildProcesses()).toHaveLength(1)
  await vi.waitFor(() => expect(runningChildProcesses()).toEqual([]), 60_000)
})

it('the service on this device exits during its start if nothing uses it', async () => {
  const lease = (await useDevice()).acquire(() => {})
  await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1), 60_000)
  await lease.release()
  await expect(lease.address).rejects.toThrow('did not start')
  expect(runningChildProcesses()).toEqual([])
})
