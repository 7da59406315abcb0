import { randomBytes } from 'node:crypto'

/** The speech service on this device: one process for all nodes and forms, because it uses about 300 MB of memory. */
export interface DeviceService {
  /**
   * Starts the process if it is not running.
   * @param onExit Called when the process exits unexpectedly; the lease has ended then.
   */
  acquire(onExit: (reason: string) => void): Lease
}

export interface Lease {
  /** Rejects when the process cannot start, and when the last lease is released before it has started. */
  readonly address: Promise<Address>
  /** Resolves at once, except for the last lease of a process that is still starting: it waits for the end of the process. */
  release(): Promise<void>
}

export interface Address {
  baseUrl: string
  apiKey: string
}

/**
 * Starts the process.
 * @param signal Ends the process, also while it starts.
 * @param onExit Called when the process exits unexpectedly after it has started.
 */
export type StartService = (
  signal: AbortSignal,
  onExit: (reason: string) => void,
) => Promise<Address>

export interface DeviceServiceOptions {
  start: StartService
  /** How long the process runs on without a lease. A deploy stops every node and starts it again. Default: 3 seconds. */
  lingerMs?: number
}

interface Running {
  acquire(onExit: (reason: string) => void): Lease
}

export function createDeviceService({
  start,
  lingerMs = 3_000,
}: DeviceServiceOptions): DeviceService {
  let running: Running | undefined
  const forget = (ended: Running) => {
    if (running === ended) running = undefined
  }
  return {
    acquire(onExit) {
      running ??= run({ start, lingerMs }, forget)
      return running.acquire(onExit)
    },
  }
}

/** @param onEnd Called when there can be no new lease: the process exited, is about to end, or did not start. */
function run(
  { start, lingerMs }: Required<DeviceServiceOptions>,
  onEnd: (ended: Running) => void,
): Running {
  const holders = new Set<{ onExit(reason: string): void }>()
  const ending = new AbortController()
  let hasStarted = false
  let linger: NodeJS.Timeout | undefined

  const running: Running = {
    acquire(onExit) {
      clearTimeout(linger)
      const holder = { onExit }
      holders.add(holder)
      return {
        address,
        async release() {
          if (!holders.delete(holder) || holders.size > 0) return
          if (hasStarted) linger = setTimeout(end, lingerMs).unref()
          else await endStarting()
        },
      }
    },
  }
  const end = () => {
    onEnd(running)
    ending.abort()
  }
  const endStarting = async () => {
    end()
    await address.catch(() => {})
  }
  const onExit = (reason: string) => {
    onEnd(running)
    for (const holder of holders) holder.onExit(reason)
  }
  const address = start(ending.signal, onExit)
  address.then(
    () => {
      hasStarted = true
    },
    () => onEnd(running),
  )
  return running
}

/** Starts the local service as a process with a random key. @param dataFolder Where it keeps cloned voices. */
export function startOnDevice(dataFolder: string): StartService {
  return async (signal, onExit) => {
    // Imported on demand: flows that only use a hosted service need not load it.
    const { startLocalServiceProcess } = await import('@parlando/local-service/process')
    const apiKey = randomBytes(24).toString('base64url')
    const { baseUrl } = await startLocalServiceProcess({ apiKey, dataFolder, signal, onExit })
    return { baseUrl, apiKey }
  }
}
