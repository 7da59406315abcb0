import { once } from 'node:events'
import {
  memoryEnvironment,
  memoryOptions,
} from '../../packages/local-service/src/processes/node-settings.ts'
import { endProcess, startProcess } from './run-process.js'

/** Starts the speech service as a process that reports its resource usage on request, with the settings that its users get. */
export async function startService() {
  const program = new URL('service-process.js', import.meta.url)
  // Without them, the service takes more memory and less time.
  const settings = { nodeOptions: memoryOptions, environment: memoryEnvironment }
  const { child, message } = await startProcess(program, settings)
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
