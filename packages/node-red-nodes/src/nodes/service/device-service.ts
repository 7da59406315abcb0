import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { HomeAssistantOffer } from './home-assistant-offer.ts'

export interface Lease {
  /** Rejects when the process cannot start, and when the last lease is released before it has started. */
  readonly address: Promise<Address>
  /** Resolves at once. The last lease of a process that is still starting waits until the process has ended. */
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
  /** How long the process keeps running without a lease, since a deploy stops and restarts every node. Default: 3 seconds. */
  lingerMs?: number
}

interface Running {
  acquire(onExit: (reason: string) => void): Lease
}

/** The speech service on this device: one process for all nodes and forms, because it uses about 150 MB of memory. */
export function createDeviceService({ start, lingerMs = 3_000 }: DeviceServiceOptions) {
  let running: Running | undefined
  const forget = (ended: Running) => {
    if (running === ended) running = undefined
  }
  return {
    /**
     * Starts the process if it is not running.
     * @param onExit Called when the process exits unexpectedly, which also ends the lease.
     */
    acquire(onExit: (reason: string) => void) {
      running ??= run({ start, lingerMs }, forget)
      return running.acquire(onExit)
    },
  }
}

export type DeviceService = ReturnType<typeof createDeviceService>

/** @param onEnd Called when no new lease is possible: the process has exited, is about to end, or did not start. */
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

/**
 * Starts the local service as a process with a random key.
 * @param userFolder the user folder of Node-RED. Optional engines may be installed there, and its subfolder `parlando`
 * keeps cloned voices and models.
 * @param onProblem called when Home Assistant cannot be offered the service.
 */
export function startOnDevice(
  userFolder: string,
  { offer, onProblem }: { offer: HomeAssistantOffer; onProblem(reason: string): void },
): StartService {
  return async (signal, onExit) => {
    // Imported on demand, so that flows with a hosted service do not load it.
    const { startLocalServiceProcess } = await import('@parlando/local-service/process')
    const apiKey = randomBytes(24).toString('base64url')
    const child = await startLocalServiceProcess({
      apiKey,
      dataFolder: join(userFolder, 'parlando'),
      enginesFolder: userFolder,
      signal,
      onExit,
      onProblem,
    })
    offer.started(child)
    return { baseUrl: child.baseUrl, apiKey }
  }
}
