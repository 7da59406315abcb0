import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Held {
  threads: number
  connections: number
  rss: number
  heapUsed: number
}

export interface ServiceUnderLoad {
  baseUrl: string
  /** The resources of the process after a garbage collection. */
  held(): Promise<Held>
  /** Kills its threads in the middle of their work. */
  killThreads(): Promise<void>
  readonly isRunning: boolean
  close(): Promise<void>
}

export async function startServiceUnderLoad(): Promise<ServiceUnderLoad> {
  const program = fileURLToPath(new URL('service-process.js', import.meta.url))
  const child = fork(program, { execArgv: ['--expose-gc'] })
  const ask = async (order: string): Promise<unknown> => {
    child.send(order)
    const [answer] = await once(child, 'message')
    return answer
  }
  const [{ baseUrl }] = await once(child, 'message')
  return {
    baseUrl,
    held: () => ask('held') as Promise<Held>,
    async killThreads() {
      await ask('kill')
    },
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    async close() {
      const exited = once(child, 'exit')
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
