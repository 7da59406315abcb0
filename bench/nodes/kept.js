import { goal } from '../shared/report.js'
import { runProcess } from '../shared/run-process.js'

const program = new URL('kept-process.js', import.meta.url)

/** Measures how soon a text starts that was spoken before. */
export async function measureKept(connection) {
  console.log('Measuring texts that were spoken before, less than a minute')
  const rows = await runProcess(program, { task: { connection } })
  const [memory, disk, prepared] = rows.map(({ p50Ms }) => p50Ms)
  return {
    rows,
    goals: [
      goal('ms to the first audio message of a text that is kept in memory, p50', memory, 10),
      goal('ms to the first audio message of a text that is kept on disk, p50', disk, 10),
      goal('ms to the first audio message of a prepared sentence, p50', prepared, 10),
    ],
  }
}
