import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDeviceService, type StartService } from './device-service.ts'
import { KeptOpen } from './kept-open.ts'
import { ServiceConnection } from './service-connection.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const waitMs = 10_000

function keepOpen(start: StartService) {
  const { acquire } = createDeviceService({ start })
  const onProblem = vi.fn()
  const connection = new ServiceConnection({ acquire, onEnd: () => keptOpen.ended() })
  const keptOpen = new KeptOpen({ open: () => connection.open(), onProblem })
  return { connection, keptOpen, onProblem }
}

it('starts the service again ten seconds after each exit', async () => {
  const { processes, start } = createFakeDeviceProcesses()
  const { connection } = keepOpen(start)
  for (const count of [1, 2, 3]) {
    // A client exists when the process has started.
    await connection.client()
    expect(processes).toHaveLength(count)
    processes.at(-1)!.exit()
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(processes).toHaveLength(count)
    await vi.advanceTimersByTimeAsync(1)
    expect(processes).toHaveLength(count + 1)
  }
})

it('tries again to start a service that cannot start, and says the same reason once', async () => {
  let reason = 'no memory'
  const start = vi.fn<StartService>(() => Promise.reject(new Error(reason)))
  const { keptOpen, onProblem } = keepOpen(start)
  await keptOpen.open()
  await vi.advanceTimersByTimeAsync(3 * waitMs)
  expect(start).toHaveBeenCalledTimes(4)
  expect(onProblem.mock.calls).toEqual([['no memory']])
  reason = 'no disk'
  await vi.advanceTimersByTimeAsync(2 * waitMs)
  expect(onProblem.mock.calls).toEqual([['no memory'], ['no disk']])
})

it('leaves a service alone that a message has started meanwhile', async () => {
  const { processes, start } = createFakeDeviceProcesses()
  const { connection } = keepOpen(start)
  await connection.open()
  processes[0]!.exit()
  await connection.client()
  await vi.advanceTimersByTimeAsync(waitMs)
  expect(processes).toHaveLength(2)
})

it('starts nothing after it is closed, also if the service was still starting', async () => {
  const { processes, start } = createFakeDeviceProcesses()
  const { connection, keptOpen, onProblem } = keepOpen(start)
  await connection.open()
  processes[0]!.exit()
  const opening = keptOpen.open()
  keptOpen.close()
  await connection.close()
  await opening
  await vi.advanceTimersByTimeAsync(2 * waitMs)
  expect(processes).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
  expect(onProblem).not.toHaveBeenCalled()
})
