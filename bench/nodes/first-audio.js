import { goal, goalAtLeast } from '../shared/report.js'
import { runProcess } from '../shared/run-process.js'

const program = new URL('first-audio-process.js', import.meta.url)
/** Seconds of speech: an announcement, and a longer text. */
const lengths = [2, 10]
const goalMs = 5

/** Compares the speak node with the first byte of the service and with the nodes that come with Node-RED. */
export async function measureFirstAudio(connection) {
  console.log('Measuring the time to the first message, about a minute')
  const rows = await runProcess(program, { task: { connection, lengths } })
  const goals = lengths.flatMap((speechSeconds) => {
    const [service, speak, stock] = ['service', 'speak', 'stock'].map(
      (from) => rows[`${from} ${speechSeconds}`],
    )
    const length = `${speechSeconds} s of speech`
    return [
      goal(
        `ms to the first audio message after the first byte of the service, p50, ${length}`,
        speak.p50Ms - service.p50Ms,
        goalMs,
      ),
      goalAtLeast(
        `times as fast as http request and function, p50, ${length}`,
        stock.p50Ms / speak.p50Ms,
        1,
      ),
    ]
  })
  return { rows: Object.values(rows), goals }
}
