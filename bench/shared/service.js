import { once } from 'node:events'
import { endProcess, startProcess } from './run-process.js'

// Those of the command and of the nodes, see node-settings.ts of the service. Without them, it takes more memory and less time.
const nodeOptions = ['--max-semi-space-size=1']
const environment = { MALLOC_ARENA_MAX: '2' }

/** Starts the speech service as a process that reports its resource usage on request, with the settings that its users get. */
export async function startService() {
  const program = new URL('service-process.js', import.meta.url)
  const { child, message } = await startProcess(program, { nodeOptions, environment })
  return {
    baseUrl: message.baseUrl,
    /** @returns `{ rssMiB, heapMiB, cpuSeconds }` of the whole process with its threads. */
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    close: () => endProcess(child),
  }
}
