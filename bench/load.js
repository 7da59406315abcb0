// The time to the first audio with several parallel listeners, and how much speech a service synthesizes.
import { parseArgs } from 'node:util'
import { listen } from './load/listen.js'
import { goal, goalAtLeast, report } from './shared/report.js'
import { startService } from './shared/service.js'
import { median } from './shared/statistics.js'

const runs = 3
const listenerCounts = [1, 4, 8, 32]
const speeches = [
  { model: 'svc-tts-2-flash', voice: 'Clara', encoding: 'PCM' },
  { model: 'svc-tts-2', voice: 'Clara', encoding: 'PCM' },
  { model: 'svc-tts-2', voice: 'Clara', encoding: 'MP3' },
]

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const kinds = speeches.flatMap((speech) =>
  listenerCounts.map((listeners) => ({ listeners, ...speech, measured: [] })),
)
console.log('Measuring parallel listeners, about four minutes')
const service = await startService()
try {
  // Whole runs alternate, so that other load on the machine affects all kinds equally.
  for (let run = 0; run < runs; run++) {
    for (const { listeners, measured, ...speech } of run % 2 ? kinds.toReversed() : kinds) {
      measured.push(await listen(service.baseUrl, listeners, speech))
    }
  }
} finally {
  await service.close()
}

const rows = kinds.map(({ measured, ...kind }) => ({ ...kind, ...mediansOf(measured) }))
const rowOf = (model, listeners) =>
  rows.find((row) => row.model === model && row.listeners === listeners)
report({
  bench: 'load',
  rows,
  goals: [
    goal(
      'p99 of first audio, svc-tts-2, 4 listeners, as a multiple of one listener',
      rowOf('svc-tts-2', 4).p99Ms / rowOf('svc-tts-2', 1).p99Ms,
      1.8,
    ),
    goal(
      'ms of gaps in the audio, svc-tts-2, 8 listeners, p99',
      rowOf('svc-tts-2', 8).silentP99Ms,
      0,
    ),
    goalAtLeast(
      'times real time, svc-tts-2, one listener',
      rowOf('svc-tts-2', 1).timesRealTime,
      60,
    ),
  ],
  jsonPath: values.json,
})

/** The median of each figure over all runs. */
function mediansOf(measured) {
  const names = Object.keys(measured[0])
  return Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name]))]))
}
