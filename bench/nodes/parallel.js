import { goal, goalAtLeast } from '../shared/report.js'
import { endProcess, runProcess, startProcess } from '../shared/run-process.js'

const serverProgram = new URL('../streams/server-process.js', import.meta.url)
const program = new URL('parallel-process.js', import.meta.url)

/** Measures a Node-RED whose speak nodes handle a hundred messages at once. */
export async function measureParallel(apiKey) {
  console.log('Measuring a hundred messages at once, less than a minute')
  const { child, message } = await startProcess(serverProgram)
  try {
    const connection = { baseUrl: message.baseUrl, apiKey }
    const row = await runProcess(program, { task: { connection } })
    return {
      rows: [row],
      goals: [
        goalAtLeast('messages that receive audio at once', row.messages, 100),
        goal('event-loop delay in ms, p99, with 100 messages at once', row.loopDelayP99Ms, 20),
      ],
    }
  } finally {
    await endProcess(child)
  }
}
