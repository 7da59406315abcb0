import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createRawClient } from '../shared/raw-client.js'
import { takeTurns } from '../shared/take-turns.js'
import { serviceProcesses, startOnCore } from './service-processes.js'

const apiKey = 'benchmark-of-the-device'
const speech = { model: 'svc-tts-2', voice: 'Clara', encoding: 'PCM' }
const settleMs = 20_000
const idleMs = 20_000
// Of processor time, in the files of Linux.
const ticksPerSecond = 100

/**
 * Compares a service that may use only one core with one that may use all, sentence by sentence. Needs `taskset` (Linux).
 * @returns the times to the first audio, and the processor time of the idle service, in percent of a core.
 */
export async function measureOneCore() {
  const services = []
  try {
    for (const cores of ['all cores', 'one core']) {
      const service = await startOnCore(cores === 'one core' ? 0 : undefined, { apiKey })
      services.push({ cores, service, client: createRawClient({ ...service, apiKey }) })
    }
    // The voices warm up.
    await wait(settleMs)
    const { pid } = services[1].service
    const before = cpuSeconds(pid)
    await wait(idleMs)
    const idlePercent = ((cpuSeconds(pid) - before) * 100 * 1000) / idleMs
    const rows = await takeTurns(
      services.map(({ cores, client }) => ({
        row: { what: `first byte of the service, ${cores}` },
        firstMs: (text) => client.firstByteMs({ ...speech, text }),
      })),
    )
    const { residentMiB } = serviceProcesses().find((one) => one.pid === pid)
    return { rows, idlePercent, residentMiB }
  } finally {
    for (const { client, service } of services) {
      client.close()
      await service.close()
    }
  }
}

function cpuSeconds(pid) {
  // The fields after the name of the program, which may contain spaces, from the third on.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const [userTicks, systemTicks] = fields.slice(11, 13).map(Number)
  return (userTicks + systemTicks) / ticksPerSecond
}
