import { goal } from '../shared/report.js'
import { runProcess } from '../shared/run-process.js'

const program = new URL('kept-process.js', import.meta.url)

/** Measures how soon a text starts that was spoken before. */
export async function measureKept(connection) {
  console.log('Measuring texts that were spoken before, less than a minute')
  const { memory, disk, prepared } = await runProcess(program, { task: { connection } })
  return {
    rows: [memory, disk, prepared],
    goals: [
      goal('ms to the first audio message of a text that is kept in memory, p50', memory.p50Ms, 10),
      goal('ms to the first audio message of a text that is kept on disk, p50', disk.p50Ms, 10),
      goal('ms to the first audio message of a prepared sentence, p50', prepared.p50Ms, 10),
    ],
  }
}
