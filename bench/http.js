// The time to the first audio of a service that responds at once, over connections that are already open.
import { parseArgs } from 'node:util'
import { measureFirstAudio } from './http/first-audio.js'
import { goal, report } from './shared/report.js'
import { endProcess, startProcess } from './shared/run-process.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const raw = 'undici.request + same decoder'
// 50 microseconds, where undici takes 100.
const goalRatio = 1.5

console.log('Measuring requests over open connections, less than a minute')
const { child, message } = await startProcess(new URL('http/server-process.js', import.meta.url))
try {
  const rows = await measureFirstAudio(message.baseUrl)
  const p50 = (client) => rows.find((row) => row.client === client).p50Microseconds
  const goals = ['parlando, for await', 'parlando, callback'].map((client) =>
    goal(`times the p50 to first audio of ${raw}, ${client}`, p50(client) / p50(raw), goalRatio),
  )
  report({ bench: 'http', rows, goals, jsonPath: values.json })
} finally {
  await endProcess(child)
}
