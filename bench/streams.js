// The cost of a thousand real-time streams in the one process that receives them.
import { parseArgs } from 'node:util'
import { goal, goalAtLeast, report } from './shared/report.js'
import { endProcess, runProcess, startProcess } from './shared/run-process.js'
import { speechClients } from './shared/speech-clients.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const serverProgram = new URL('streams/server-process.js', import.meta.url)
const clientProgram = new URL('streams/client-process.js', import.meta.url)
const ours = 'parlando, for await'

console.log('Measuring a thousand streams with each client, about a minute')
const server = await startProcess(serverProgram)
try {
  const rows = []
  for (const clientName of Object.keys(speechClients)) {
    const task = { baseUrl: server.message.baseUrl, clientName }
    rows.push({ client: clientName, ...(await runProcess(clientProgram, { task })) })
  }
  const { streams, inRealTime, cpuPercent, aboveIdleMiB, loopDelayP99Ms } = rows.find(
    ({ client }) => client === ours,
  )
  report({
    bench: 'streams',
    rows,
    goals: [
      goal(`percent of a core for ${streams} streams`, cpuPercent, 25),
      goal(`MiB of memory above idle for ${streams} streams`, aboveIdleMiB, 90),
      goal(`event-loop delay in ms, p99, with ${streams} streams`, loopDelayP99Ms, 10),
      goalAtLeast('streams in real time, at least', inRealTime, streams),
    ],
    jsonPath: values.json,
  })
} finally {
  await endProcess(server.child)
}
