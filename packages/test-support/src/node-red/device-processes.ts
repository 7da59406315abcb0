import { afterEach, beforeEach, expect, vi } from 'vitest'
import { runningChildProcesses } from '../watch/child-processes.ts'

// Longer than the time for which an unused process of the service on this device keeps running.
const lingerMs = 4_000

/**
 * Fakes the time in the tests of a file, so that they need not wait until an unused process of the service on this device
 * exits. Fails if a process is still running after a test. Call this before `useNodeRed`: Vitest runs the hooks that are
 * registered first last, and the flow must have stopped by then.
 */
export function useDeviceProcesses() {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  })
  const waitForExit = async () => {
    await vi.advanceTimersByTimeAsync(lingerMs)
    await vi.waitFor(() => expect(runningChildProcesses()).toEqual([]), 60_000)
  }
  afterEach(async () => {
    if (runningChildProcesses().length > 0) await waitForExit()
    vi.useRealTimers()
  })
  return { waitForExit }
}

/** A stand-in for a process of the local service. */
export interface FakeDeviceProcess {
  isRunning: boolean
  /** Exits unexpectedly. */
  exit(): void
}

interface DeviceAddress {
  baseUrl: string
  apiKey: string
}

/**
 * Replaces the start of the service on this device without starting a process. As with a real process, the start takes a
 * few turns of the event loop and can be aborted.
 *
 * @param addressOf The address of the process with this number. Default: one address per process, where nothing listens.
 */
export function createFakeDeviceProcesses(
  addressOf = (number: number): DeviceAddress => ({
    baseUrl: `http://127.0.0.1:${number}`,
    apiKey: `key-of-process-${number}`,
  }),
) {
  const processes: FakeDeviceProcess[] = []
  const start = async (
    signal: AbortSignal,
    onExit: (reason: string) => void,
  ): Promise<DeviceAddress> => {
    const process: FakeDeviceProcess = {
      isRunning: true,
      exit() {
        process.isRunning = false
        onExit('it was killed')
      },
    }
    processes.push(process)
    const number = processes.length
    signal.addEventListener('abort', () => {
      process.isRunning = false
    })
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    if (signal.aborted) throw new Error('the speech service did not start')
    return addressOf(number)
  }
  return { processes, start }
}
