// How soon the first audio of a service that needs no time is there, over connections that are open already.
import { parseArgs } from 'node:util'
import { measureFirstAudio } from './http/first-audio.js'
import { goal, report } from './shared/report.js'
import { endProcess, startProcess } from './shared/run-process.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const raw = 'undici.request + same decoder'
const goalMicroseconds = 50

console.log('Measuring warm calls, less than a minute')
const { child, message } = await startProcess(new URL('http/server-process.js', import.meta.url))
try {
  const rows = await measureFirstAudio(message.baseUrl)
  const p50 = (client) => rows.find((row) => row.client === client).p50Microseconds
  const goals = ['parlando, for await', 'parlando, callback'].map((client) =>
    goal(
      `microseconds to first audio above ${raw}, p50, ${client}`,
      p50(client) - p50(raw),
      goalMicroseconds,
    ),
  )
  report({ bench: 'http', rows, goals, jsonPath: values.json })
} finally {
  await endProcess(child)
}
