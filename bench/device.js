// The service process of "This device": how soon it speaks after its start, its memory, and its speed on one core. Also
// the memory that the nodes add to Node-RED.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureOneCore } from './device/one-core.js'
import { firstAudioMs, residentMiB } from './device/service.js'
import { goal, report } from './shared/report.js'
import { emptyProcessMs, runProcess } from './shared/run-process.js'
import { median, summarize } from './shared/statistics.js'

const starts = 10
const runs = 3
// 400 ms where an empty Node.js process takes 40 ms.
const startGoalRatio = 10
const nodeRed = new URL('device/node-red-process.js', import.meta.url)

const { values } = parseArgs({ options: { json: { type: 'string' } } })
console.log('Measuring the start and the memory of the service process, about four minutes')
const startMs = []
const startRatios = []
const emptyMs = []
const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
const firstStartMs = await firstAudioMs(dataFolder)
for (let round = 0; round < starts; round++) {
  const empty = await emptyProcessMs()
  const start = await firstAudioMs(dataFolder)
  emptyMs.push(empty)
  startMs.push(start)
  startRatios.push(start / empty)
}
await rm(dataFolder, { recursive: true })
const service = []
const added = []
for (let run = 0; run < runs; run++) {
  service.push(await residentMiB())
  const without = await runProcess(nodeRed, { task: { withNodes: false } })
  added.push((await runProcess(nodeRed, { task: { withNodes: true } })) - without)
}
const { rows: coreRows, idlePercent, residentMiB: oneCoreMiB } = await measureOneCore()
const [allCores, oneCore] = coreRows
const memory = {
  'the service, idle': { measured: service.map(({ idleMiB }) => idleMiB), goalMiB: 140 },
  'the service, one voice in use': {
    measured: service.map(({ voiceMiB }) => voiceMiB),
    goalMiB: 150,
  },
  'the service, after 20 parallel utterances': {
    measured: service.map(({ parallelMiB }) => parallelMiB),
    goalMiB: 170,
  },
  'the nodes in Node-RED, idle': { measured: added, goalMiB: 8 },
}
report({
  bench: 'device',
  rows: [
    { what: 'the first start to first audio, without compiled code', ...summarize([firstStartMs]) },
    { what: 'start to first audio', ...summarize(startMs) },
    { what: 'start and end of an empty Node.js process', ...summarize(emptyMs) },
    ...coreRows,
    { what: 'the service on one core, after 200 sentences', medianMiB: oneCoreMiB },
    ...Object.entries(memory).map(([what, { measured }]) => ({
      what,
      medianMiB: median(measured),
      maxMiB: Math.max(...measured),
    })),
  ],
  goals: [
    goal(
      'times an empty Node.js process, p50: start to first audio',
      median(startRatios),
      startGoalRatio,
    ),
    goal('p99 of first audio on one core, as a multiple of all', oneCore.p99Ms / allCores.p99Ms, 2),
    goal('percent of a core that the idle service takes', idlePercent, 0.5),
    ...Object.entries(memory).map(([what, { measured, goalMiB }]) =>
      goal(`MiB of ${what}`, median(measured), goalMiB),
    ),
  ],
  jsonPath: values.json,
})
