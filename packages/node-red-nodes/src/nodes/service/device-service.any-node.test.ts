import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { expect, it, vi } from 'vitest'
import { createDeviceService } from './device-service.ts'

const lingerMs = 20

function useDevice() {
  const { processes, start } = createFakeDeviceProcesses()
  const running = () => processes.filter(({ isRunning }) => isRunning)
  const device = createDeviceService({ start, lingerMs })
  const acquire = (onExit: (reason: string) => void = () => {}) => device.acquire(onExit)
  return { processes, running, acquire }
}

it('starts one process for all leases', async () => {
  const { processes, acquire } = useDevice()
  const [first, second] = [acquire(), acquire()]
  expect(await first.address).toEqual(await second.address)
  expect(processes).toHaveLength(1)
})

it('keeps the process while a lease exists, and reuses it for a lease soon after the last', async () => {
  const { running, acquire } = useDevice()
  const [first, second] = [acquire(), acquire()]
  const address = await first.address
  first.release()
  first.release()
  second.release()
  expect(await acquire().address).toEqual(address)
  await new Promise((resolve) => setTimeout(resolve, 3 * lingerMs))
  expect(running()).toHaveLength(1)
})

it('ends the process a while after the last lease, and starts another for the next lease', async () => {
  const { running, acquire } = useDevice()
  const lease = acquire()
  const address = await lease.address
  lease.release()
  expect(running()).toHaveLength(1)
  await vi.waitFor(() => expect(running()).toEqual([]))
  expect(await acquire().address).not.toEqual(address)
})

it('ends a process that is still starting as soon as the last lease is released', async () => {
  const { processes, running, acquire } = useDevice()
  const lease = acquire()
  expect(processes).toHaveLength(1)
  await lease.release()
  expect(running()).toEqual([])
  await expect(lease.address).rejects.toThrow('did not start')
})

it('notifies every lease when the process exits unexpectedly, and starts another for the next lease', async () => {
  const { processes, acquire } = useDevice()
  const notified = vi.fn()
  const [first] = [acquire(notified), acquire(notified)]
  const address = await first.address
  processes[0]!.exit()
  expect(notified).toHaveBeenCalledTimes(2)
  expect(await acquire().address).not.toEqual(address)
})
