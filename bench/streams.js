// The cost of a thousand real-time streams in the one process that receives them, compared with other clients.
import { parseArgs } from 'node:util'
import { goal, goalAtLeast, guard, report } from './shared/report.js'
import { endProcess, runProcess, startProcess } from './shared/run-process.js'
import { speechClients } from './shared/speech-clients.js'
import { median } from './shared/statistics.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const serverProgram = new URL('streams/server-process.js', import.meta.url)
const clientProgram = new URL('streams/client-process.js', import.meta.url)
const rounds = 3
const loop = 'parlando, for await'
const callback = 'parlando, callback'
const raw = 'undici.request + same decoder'
const cpu = 'cpuMicrosecondsPerKilobyte'

console.log('Measuring a thousand streams with each client in turns, about four minutes')
const server = await startProcess(serverProgram)
const series = Object.keys(speechClients).map((client) => ({ client, measured: [] }))
try {
  for (let round = 0; round < rounds; round++) {
    for (const { client, measured } of round % 2 ? series.toReversed() : series) {
      const task = { baseUrl: server.message.baseUrl, clientName: client }
      measured.push(await runProcess(clientProgram, { task }))
    }
  }
} finally {
  await endProcess(server.child)
}

/** The median over the rounds of one client's figure, compared with that of another client in the same round. */
function ratio(name, client, other) {
  const valuesOf = (wanted) =>
    series.find((one) => one.client === wanted).measured.map((figures) => figures[name])
  const others = valuesOf(other)
  return median(valuesOf(client).map((value, round) => value / others[round]))
}

const rows = series.map(({ client, measured }) => {
  const middle = (name) => median(measured.map((figures) => figures[name]))
  const names = Object.keys(measured[0])
  return {
    client,
    ...Object.fromEntries(names.map((name) => [name, middle(name)])),
    fewestInRealTime: Math.min(...measured.map(({ inRealTime }) => inRealTime)),
  }
})
const fetchClients = rows.filter(({ client }) => client.startsWith('fetch'))
const cheapest = fetchClients.reduce((one, other) =>
  one.cpuMicrosecondsPerKilobyte <= other.cpuMicrosecondsPerKilobyte ? one : other,
)
const fewestInRealTime = (client) => rows.find((row) => row.client === client).fewestInRealTime
report({
  bench: 'streams',
  rows,
  goals: [
    goal(`times the CPU of ${raw}, for await`, ratio(cpu, loop, raw), 1.22),
    goal(`times the CPU of ${raw}, callback`, ratio(cpu, callback, raw), 1.08),
    goal(`times the CPU of ${cheapest.client}`, ratio(cpu, loop, cheapest.client), 0.5),
    guard(`times the memory above idle of ${raw}`, ratio('aboveIdleMiB', loop, raw), 1.75),
    goal(`times the event-loop delay of ${raw}, p99`, ratio('loopDelayP99Ms', loop, raw), 1.5),
    goalAtLeast(
      'streams of for await in real time, in its worst round; as many as the callback',
      fewestInRealTime(loop),
      fewestInRealTime(callback),
    ),
  ],
  jsonPath: values.json,
})
