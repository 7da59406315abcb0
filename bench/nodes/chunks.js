import { goal } from '../shared/report.js'
import { endProcess, runProcess, startProcess } from '../shared/run-process.js'

const serverProgram = new URL('chunks-server-process.js', import.meta.url)
const program = new URL('chunks-process.js', import.meta.url)
const goalMicroseconds = 60

/** Compares the processor time of a chunk in the speak node with that of the client without a node. */
export async function measureChunks(apiKey) {
  console.log('Measuring the cost of a chunk, less than a minute')
  const { child, message } = await startProcess(serverProgram)
  try {
    const connection = { baseUrl: message.baseUrl, apiKey }
    const { core, speak } = await runProcess(program, { task: { connection } })
    const name = 'microseconds of processor time per chunk that speak adds to core, p50'
    const added = speak.cpuMicrosecondsPerChunk - core.cpuMicrosecondsPerChunk
    return { rows: [core, speak], goals: [goal(name, added, goalMicroseconds)] }
  } finally {
    await endProcess(child)
  }
}
