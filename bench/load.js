// The time to the first audio with several parallel listeners, how much speech a service synthesizes, and what becomes of more
// listeners than it can serve.
import { parseArgs } from 'node:util'
import { listenBeside } from './load/beside.js'
import { listen } from './load/listen.js'
import { overload } from './load/overload.js'
import { goal, goalAtLeast, report } from './shared/report.js'
import { startService } from './shared/service.js'
import { median } from './shared/statistics.js'

const runs = 3
const listenerCounts = [1, 4, 8, 32]
const speeches = [
  { model: 'svc-tts-2-flash', voice: 'Clara', encoding: 'PCM' },
  { model: 'svc-tts-2', voice: 'Clara', encoding: 'PCM' },
  { model: 'svc-tts-2', voice: 'Clara', encoding: 'MP3' },
  { model: 'svc-tts-2', voice: 'Heart', encoding: 'PCM' },
]
/** The voice that is always there, and the natural one, whose networks take more of the processor. */
const kindsOfVoices = ['Clara', 'Heart']

const { values } = parseArgs({
  options: { json: { type: 'string' }, only: { type: 'string', default: 'parallel,fair' } },
})
const parts = values.only.split(',')
console.log('Measuring parallel listeners, about twenty minutes')
const service = await startService()
let parallel = { rows: [], goals: [] }
let fair = { rows: [], goals: [] }
try {
  if (parts.includes('parallel')) parallel = await measureParallel(service.baseUrl)
  if (parts.includes('fair')) fair = await measureFairness(service.baseUrl)
} finally {
  await service.close()
}
report({
  bench: 'load',
  rows: [...parallel.rows, ...fair.rows],
  goals: [...parallel.goals, ...fair.goals],
  jsonPath: values.json,
})

async function measureParallel(baseUrl) {
  const kinds = speeches.flatMap((speech) =>
    listenerCounts.map((listeners) => ({ listeners, ...speech, measured: [] })),
  )
  // Whole runs alternate, so that other load on the machine affects all kinds equally.
  for (let run = 0; run < runs; run++) {
    for (const { listeners, measured, ...speech } of run % 2 ? kinds.toReversed() : kinds) {
      measured.push(await listen(baseUrl, listeners, speech))
    }
  }
  const rows = kinds.map(({ measured, ...kind }) => ({ ...kind, ...mediansOf(measured) }))
  const rowOf = (voice, listeners) =>
    rows.find((row) => {
      return row.model === 'svc-tts-2' && row.voice === voice && row.listeners === listeners
    })
  const ratios = kindsOfVoices.map((voice) =>
    goal(
      `p99 of first audio, ${voice}, 4 listeners, as a multiple of one listener`,
      rowOf(voice, 4).p99Ms / rowOf(voice, 1).p99Ms,
      1.8,
    ),
  )
  const gaps = rowOf('Clara', 8).silentP99Ms
  const goals = [
    ...ratios,
    goal('ms of gaps in the audio, svc-tts-2, 8 listeners, p99', gaps, 0),
    goalAtLeast('times real time, svc-tts-2, one listener', rowOf('Clara', 1).timesRealTime, 60),
  ]
  return { rows, goals }
}

async function measureFairness(baseUrl) {
  const rows = []
  const goals = []
  for (const voice of kindsOfVoices) {
    const speech = { model: 'svc-tts-2', voice, encoding: 'PCM' }
    const [quiet, busy] = await listenBeside(baseUrl, speech)
    const crowd = { ...speech, ...(await overload(baseUrl, speech)) }
    rows.push(quiet, busy, crowd)
    goals.push(
      goal(
        `p99 of first audio, ${voice}, beside 32 listeners of another caller, as a multiple of the quiet one`,
        busy.p99Ms / quiet.p99Ms,
        3,
      ),
      goal(`requests of that listener that were rejected, ${voice}`, busy.rejected, 0),
      goal(`ms of silence for those who are taken, 200 listeners, ${voice}`, crowd.silentMaxMs, 0),
      goal(`ms to the rejection, 200 listeners, ${voice}, p99`, crowd.rejectedP99Ms, 50),
      goalAtLeast(
        `share of the rejected who are taken at the time they were told, ${voice}`,
        crowd.takenInTime,
        0.9,
      ),
    )
  }
  return { rows, goals }
}

/** The median of each figure over all runs. */
function mediansOf(measured) {
  const names = Object.keys(measured[0])
  return Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name]))]))
}
