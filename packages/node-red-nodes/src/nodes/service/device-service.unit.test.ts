import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { children } from '@parlando/test-support/child-processes'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDeviceService, type DeviceService, type Lease } from './device-service.ts'

let dataFolder: string
let device: DeviceService
let leases: Lease[]

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'parlando-device-'))
  device = createDeviceService(dataFolder)
  leases = []
})
afterEach(async () => {
  for (const lease of leases) lease.release()
  await vi.waitFor(() => expect(children()).toEqual([]), 60_000)
  await rm(dataFolder, { recursive: true })
})

function acquire(onExit: (reason: string) => void = () => {}): Lease {
  const lease = device.acquire(onExit)
  leases.push(lease)
  return lease
}

it('lends one process to all', async () => {
  const [first, second] = [acquire(), acquire()]
  expect(await first.address).toEqual(await second.address)
  expect(children()).toHaveLength(1)
})

it('keeps the process while somebody has it, and for those who come right after the last', async () => {
  const [first, second] = [acquire(), acquire()]
  const address = await first.address
  first.release()
  first.release()
  second.release()
  expect(await acquire().address).toEqual(address)
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  expect(children()).toHaveLength(1)
})

it('ends the process when nobody comes for a while, and starts another for the next', async () => {
  const lease = acquire()
  const address = await lease.address
  lease.release()
  await vi.waitFor(() => expect(children()).toEqual([]), 60_000)
  expect(await acquire().address).not.toEqual(address)
})

it('ends at once what nobody waits for any more', async () => {
  const lease = acquire()
  await vi.waitFor(() => expect(children()).toHaveLength(1))
  lease.release()
  await expect(lease.address).rejects.toThrow('did not start')
  expect(children()).toEqual([])
})

it('tells all when the process ended by itself, and starts another for the next', async () => {
  const told = vi.fn()
  const [first] = [acquire(told), acquire(told)]
  const address = await first.address
  children()[0]!.kill('SIGKILL')
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2), 60_000)
  expect(await acquire().address).not.toEqual(address)
})
