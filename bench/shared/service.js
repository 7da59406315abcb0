import { once } from 'node:events'
import { endProcess, startProcess } from './run-process.js'

/** Starts the speech service as a process that reports its resource usage on request. */
export async function startService() {
  const { child, message } = await startProcess(new URL('service-process.js', import.meta.url))
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
