// The first speech after a start of Node-RED, with a speak node on this device, and its first message at different times.
import { parseArgs } from 'node:util'
import { goal, report } from './shared/report.js'
import { runProcess } from './shared/run-process.js'
import { summarize } from './shared/statistics.js'

const program = new URL('start/node-red-process.js', import.meta.url)
const rounds = 10
const goalMs = 1000

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const series = [0, 5].map((waitSeconds) => ({ waitSeconds, timesMs: [] }))
console.log('Starting Node-RED twenty times, about three minutes')
for (let round = 0; round < rounds; round++) {
  for (const { waitSeconds, timesMs } of round % 2 ? series.toReversed() : series) {
    timesMs.push(await runProcess(program, { task: { waitSeconds } }))
  }
}
const rows = series.map(({ waitSeconds, timesMs }) => {
  return {
    what: `first speech, ${waitSeconds} s after the flows have started`,
    ...summarize(timesMs),
  }
})
const goals = rows.map(({ what, p50Ms }) => goal(`p50 of ${what}`, p50Ms, goalMs))
report({ bench: 'start', rows, goals, jsonPath: values.json })
