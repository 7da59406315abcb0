import { afterEach, beforeEach, expect, vi } from 'vitest'
import { children } from './child-processes.ts'

// Longer than a process of the service on this device runs on without a user.
const lingerMs = 4_000

/**
 * Lets the tests of a file skip the time that a process of the service on this device runs on without a user. After each
 * test no process may be left. Call this before `useNodeRed`: hooks that are registered first run last, after the flow ended.
 */
export function useDeviceProcesses() {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  })
  const hasEnded = async () => {
    await vi.advanceTimersByTimeAsync(lingerMs)
    await vi.waitFor(() => expect(children()).toEqual([]), 60_000)
  }
  afterEach(async () => {
    if (children().length > 0) await hasEnded()
    vi.useRealTimers()
  })
  return { hasEnded }
}

/** A stand-in for a process of the local service. */
export interface DeviceProcess {
  isRunning: boolean
  /** Exits unexpectedly. */
  exit(): void
}

interface DeviceAddress {
  baseUrl: string
  apiKey: string
}

/**
 * A starter for the service on this device that starts no process. A start takes a few turns of the event loop and can be
 * aborted, like the start of a process.
 * @param addressOf The address of the process with this number. Default: one address per process, where nothing listens.
 */
export function startDeviceProcesses(
  addressOf = (number: number): DeviceAddress => ({
    baseUrl: `http://127.0.0.1:${number}`,
    apiKey: `key-of-process-${number}`,
  }),
) {
  const processes: DeviceProcess[] = []
  const start = async (
    signal: AbortSignal,
    onExit: (reason: string) => void,
  ): Promise<DeviceAddress> => {
    const process: DeviceProcess = {
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
