import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ResourceUsage {
  threads: number
  connections: number
  rss: number
  heapUsed: number
}

export interface ServiceUnderLoad {
  baseUrl: string
  /** The resources of the process after a garbage collection. */
  resources(): Promise<ResourceUsage>
  /** Kills its threads while they work. */
  killThreads(): Promise<void>
  readonly isRunning: boolean
  close(): Promise<void>
}

export async function startServiceUnderLoad(): Promise<ServiceUnderLoad> {
  const program = fileURLToPath(new URL('service-process.js', import.meta.url))
  const child = fork(program, { execArgv: ['--expose-gc'] })
  const ask = async (command: string): Promise<unknown> => {
    child.send(command)
    const [response] = await once(child, 'message')
    return response
  }
  const [{ baseUrl }] = await once(child, 'message')
  return {
    baseUrl,
    resources: () => ask('resources') as Promise<ResourceUsage>,
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
