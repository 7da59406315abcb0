import { setTimeout as wait } from 'node:timers/promises'
import { createRawClient } from '../shared/raw-client.js'
import { goal } from '../shared/report.js'
import { emptyProcessMs } from '../shared/run-process.js'
import { createSentences } from '../shared/sentences.js'
import { summarize } from '../shared/statistics.js'

const speech = { model: 'svc-tts-2-flash', voice: 'Clara', encoding: 'PCM' }
const runs = 3
const warmingCount = 10
const sentenceCount = 200
const pauseMs = 5
const sentencesPerEmptyProcess = 10
// 20 ms where an empty Node.js process takes 40 ms.
const goalRatio = 0.5

/**
 * Requests every sentence in each of three runs. The best of its three times is what the service is responsible for; other
 * programs add to the rest. The delay with which a timer wakes this process shows how much.
 */
export async function measureFastestModel(connection) {
  console.log('Measuring the fastest model three times, about two minutes')
  const client = createRawClient(connection)
  const sentences = createSentences(warmingCount + sentenceCount)
  for (const text of sentences.slice(0, warmingCount)) await client.firstByteMs({ ...speech, text })
  const timesOfRuns = []
  const wakeUpMs = []
  const emptyMs = []
  for (let run = 0; run < runs; run++) {
    const timesMs = []
    for (const [index, text] of sentences.slice(warmingCount).entries()) {
      if (index % sentencesPerEmptyProcess === 0) emptyMs.push(await emptyProcessMs())
      const startedAt = performance.now()
      await wait(pauseMs)
      wakeUpMs.push(performance.now() - startedAt - pauseMs)
      timesMs.push(await client.firstByteMs({ ...speech, text }))
    }
    timesOfRuns.push(timesMs)
  }
  client.close()
  const bestMs = timesOfRuns[0].map((_, index) =>
    Math.min(...timesOfRuns.map((timesMs) => timesMs[index])),
  )
  const best = summarize(bestMs)
  const all = summarize(timesOfRuns.flat())
  const empty = summarize(emptyMs)
  return {
    rows: [
      { what: 'first byte of the service, the best of three per sentence', ...speech, ...best },
      { what: 'first byte of the service, all requests', ...speech, ...all },
      ...timesOfRuns.map((timesMs, index) => ({
        what: `first byte of the service, run ${index + 1}`,
        ...speech,
        ...summarize(timesMs),
      })),
      { what: 'start and end of an empty Node.js process, between sentences', ...empty },
      { what: 'delay with which a timer wakes the client', ...summarize(wakeUpMs) },
    ],
    goals: [
      goal(
        'times an empty Node.js process, p50: p99 of first audio, svc-tts-2-flash, the best of three per sentence',
        best.p99Ms / empty.p50Ms,
        goalRatio,
      ),
      goal('the same, of all requests', all.p99Ms / empty.p50Ms, goalRatio),
      goal(
        'the best of three per sentence, p99 as a multiple of p50',
        best.p99Ms / best.p50Ms,
        1.5,
      ),
    ],
  }
}
