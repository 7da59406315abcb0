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
  { voice: 'Clara', waitSeconds: 0, goalRatio: 16, timesMs: [], ratios: [] },
  { voice: 'Clara', waitSeconds: 5, goalRatio: 7, timesMs: [], ratios: [] },
  { voice: 'Heart', waitSeconds: 0, timesMs: [], ratios: [] },
  { voice: 'Heart', waitSeconds: 5, timesMs: [], ratios: [] },
]
/** The natural voice takes more time to start. */
const naturalGoalRatio = 2
const emptyMs = []
console.log('Starting Node-RED forty times, about three minutes')
for (let round = 0; round < rounds; round++) {
  for (const { voice, waitSeconds, timesMs, ratios } of round % 2 ? series.toReversed() : series) {
    const empty = await emptyProcessMs()
    const timeMs = await runProcess(program, { task: { voice, waitSeconds } })
    emptyMs.push(empty)
    timesMs.push(timeMs)
    ratios.push(timeMs / empty)
  }
}
const nameOf = ({ voice, waitSeconds }) =>
  `first speech of ${voice}, ${waitSeconds} s after the flows have started`
const rows = [
  ...series.map((one) => ({ what: nameOf(one), ...summarize(one.timesMs) })),
  { what: 'start and end of an empty Node.js process', ...summarize(emptyMs) },
]
const goals = series
  .filter(({ goalRatio }) => goalRatio)
  .map((one) =>
    goal(`times an empty Node.js process, p50, ${nameOf(one)}`, median(one.ratios), one.goalRatio),
  )
const [clara, , heart] = series.map(({ timesMs }) => median(timesMs))
goals.push(goal(`times that of Clara, p50, ${nameOf(series[2])}`, heart / clara, naturalGoalRatio))
report({ bench: 'start', rows, goals, jsonPath: values.json })
