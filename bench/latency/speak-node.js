import { goal } from '../shared/report.js'
import { runProcess } from '../shared/run-process.js'

const program = new URL('node-red-process.js', import.meta.url)
const models = ['svc-tts-2-flash', 'svc-tts-2']
const goalMs = 10

/** Compares, inside one Node-RED, the first message from the speak node with the first byte of the service. */
export async function measureSpeakNode(connection) {
  console.log('Measuring the speak node inside Node-RED, about a minute')
  const rows = await runProcess(program, { task: { connection, models } })
  const goals = models.map((model) => {
    const [service, speak] = rows.filter((row) => row.model === model)
    const name = `first audio message of speak after the first byte of the service, p50, ${model}`
    return goal(name, speak.p50Ms - service.p50Ms, goalMs)
  })
  return { rows, goals }
}
