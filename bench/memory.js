// The memory of the service while it speaks a text of the maximum length, and how much speech one core synthesizes.
import { parseArgs } from 'node:util'
import { createListener } from './load/listener.js'
import { goal, goalAtLeast, report } from './shared/report.js'
import { createSentences } from './shared/sentences.js'
import { startService } from './shared/service.js'
import { median } from './shared/statistics.js'

const textCharacters = 100_000
const runs = 3
const samplingMs = 500

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const text = `${createSentences(400).join(' ')} `.repeat(10).slice(0, textCharacters)

console.log(`Measuring ${runs} texts of ${textCharacters} characters, about five minutes`)
const service = await startService()
try {
  const rows = []
  for (let run = 1; run <= runs; run++) rows.push({ run, ...(await measure()) })
  const figure = (name) => median(rows.map((row) => row[name]))
  report({
    bench: 'memory',
    rows,
    goals: [
      goal('MiB of growth from the second quarter of a text to the last', figure('growthMiB'), 20),
      goalAtLeast(
        'seconds of speech per second of processor time',
        figure('secondsPerCpuSecond'),
        60,
      ),
    ],
    jsonPath: values.json,
  })
} finally {
  await service.close()
}

async function measure() {
  const listener = createListener(service.baseUrl)
  const before = await service.usage()
  const rssMiB = []
  const sampling = setInterval(async () => rssMiB.push((await service.usage()).rssMiB), samplingMs)
  const startedAt = performance.now()
  const speech = { text, model: 'svc-tts-2', voice: 'Clara', encoding: 'PCM' }
  const { audioSeconds } = await listener.measure(speech)
  const tookSeconds = (performance.now() - startedAt) / 1000
  clearInterval(sampling)
  listener.close()
  const after = await service.usage()
  const quarter = (number) =>
    median(rssMiB.slice((rssMiB.length * (number - 1)) / 4, (rssMiB.length * number) / 4))
  return {
    audioSeconds,
    timesRealTime: audioSeconds / tookSeconds,
    secondsPerCpuSecond: audioSeconds / (after.cpuSeconds - before.cpuSeconds),
    maxRssMiB: Math.max(...rssMiB),
    growthMiB: quarter(4) - quarter(2),
    heapMiB: after.heapMiB,
  }
}
