import { randomBytes } from 'node:crypto'

/** The speech service of this device: one process, however many nodes and forms use it, since it takes some 300 MB. */
export interface DeviceService {
  /**
   * Starts the process where it does not run.
   * @param onExit Called when the process ends without having been told to; the loan is over then.
   */
  acquire(onExit: (reason: string) => void): Lease
}

export interface Lease {
  /** Rejects when the process cannot start, and when it is given back by all before it has. */
  readonly address: Promise<Address>
  /** Resolves at once; but a process that nobody else waits for ends while it starts, and that is awaited. */
  release(): Promise<void>
}

interface Address {
  baseUrl: string
  apiKey: string
}

interface Running {
  acquire(onExit: (reason: string) => void): Lease
}

// A deploy stops every node and starts it again at once; the voices stay warm meanwhile.
const lingerMs = 3_000

/** @param dataFolder Cloned voices are kept in it. */
export function createDeviceService(dataFolder: string): DeviceService {
  let running: Running | undefined
  const forget = (ended: Running) => {
    if (running === ended) running = undefined
  }
  return {
    acquire(onExit) {
      running ??= run(dataFolder, forget)
      return running.acquire(onExit)
    },
  }
}

/** @param onEnd Called when it can be lent no more: it ended, or is about to, or did not start. */
function run(dataFolder: string, onEnd: (ended: Running) => void): Running {
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
  const address = startProcess(dataFolder, ending.signal, onExit)
  address.then(
    () => {
      hasStarted = true
    },
    () => onEnd(running),
  )
  return running
}

async function startProcess(
  dataFolder: string,
  signal: AbortSignal,
  onExit: (reason: string) => void,
): Promise<Address> {
  // Loaded late, so that flows that only use a hosted service never pay for it.
  const { startLocalServiceProcess } = await import('@parlando/local-service/process')
  const apiKey = randomBytes(24).toString('base64url')
  const { baseUrl } = await startLocalServiceProcess({ apiKey, dataFolder, signal, onExit })
  return { baseUrl, apiKey }
}
