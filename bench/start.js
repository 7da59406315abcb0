// The first speech after a start of Node-RED, with a speak node on this device, and its first message at different times.
import { parseArgs } from 'node:util'
import { goal, report } from './shared/report.js'
import { emptyProcessMs, runProcess } from './shared/run-process.js'
import { median, summarize } from './shared/statistics.js'

const program = new URL('start/node-red-process.js', import.meta.url)
const rounds = 10

const { values } = parseArgs({ options: { json: { type: 'string' } } })
// As multiples of the start and end of an empty Node.js process.
const series = [
  { waitSeconds: 0, goalRatio: 16, timesMs: [], ratios: [] },
  { waitSeconds: 5, goalRatio: 7, timesMs: [], ratios: [] },
]
const emptyMs = []
console.log('Starting Node-RED twenty times, about three minutes')
for (let round = 0; round < rounds; round++) {
  for (const { waitSeconds, timesMs, ratios } of round % 2 ? series.toReversed() : series) {
    const empty = await emptyProcessMs()
    const timeMs = await runProcess(program, { task: { waitSeconds } })
    emptyMs.push(empty)
    timesMs.push(timeMs)
    ratios.push(timeMs / empty)
  }
}
const nameOf = ({ waitSeconds }) => `first speech, ${waitSeconds} s after the flows have started`
const rows = [
  ...series.map((one) => ({ what: nameOf(one), ...summarize(one.timesMs) })),
  { what: 'start and end of an empty Node.js process', ...summarize(emptyMs) },
]
const goals = series.map((one) =>
  goal(`times an empty Node.js process, p50, ${nameOf(one)}`, median(one.ratios), one.goalRatio),
)
report({ bench: 'start', rows, goals, jsonPath: values.json })
