// The memory of the service while it speaks a text of the maximum length, how much speech one core synthesizes, and the
// processor time of an imprint, which turns the sound of an engine's voice into that of a clone or a derived voice.
import { parseArgs } from 'node:util'
import { createListener } from './load/listener.js'
import { goal, goalAtLeast, report } from './shared/report.js'
import { emptyProcessMiB } from './shared/run-process.js'
import { createSentences } from './shared/sentences.js'
import { startService } from './shared/service.js'
import { median } from './shared/statistics.js'

const textCharacters = 100_000
const runs = 3
const samplingMs = 500
const imprintTurns = 7
const imprintCharacters = 5_000
// Lily is derived from Ralph and speaks as fast, so both take the same work except for the imprint.
const voices = { plain: 'Ralph', imprinted: 'Lily' }
// 20 MiB, where an empty Node.js process uses 44 MiB.
const growthGoal = 0.45

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const text = `${createSentences(400).join(' ')} `.repeat(10).slice(0, textCharacters)

console.log(`Measuring ${runs} texts of ${textCharacters} characters, about five minutes`)
const service = await startService()
try {
  const imprintMs = await measureImprint()
  const rows = []
  for (let run = 1; run <= runs; run++) {
    rows.push({ run, ...(await measure()), emptyProcessMiB: emptyProcessMiB() })
  }
  const figure = (name) => median(rows.map((row) => row[name]))
  report({
    bench: 'memory',
    rows: [...rows, { run: 'imprint', cpuMsPerSecond: imprintMs }],
    goals: [
      goal(
        'times the memory of an empty Node.js process: growth from the second quarter of a text to the last',
        median(rows.map((row) => row.growthMiB / row.emptyProcessMiB)),
        growthGoal,
      ),
      goalAtLeast(
        'seconds of speech per second of processor time',
        figure('secondsPerCpuSecond'),
        60,
      ),
      goal('ms of processor time that an imprint takes per second of speech', imprintMs, 4),
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

/** @returns the processor time that an imprint adds to a second of speech, the median of all turns. */
async function measureImprint() {
  const listener = createListener(service.baseUrl)
  const cpuMsPerSecond = async (voice) => {
    const before = await service.usage()
    const speech = { text: text.slice(0, imprintCharacters), model: 'svc-tts-2', voice }
    const { audioSeconds } = await listener.measure({ ...speech, encoding: 'PCM' })
    const after = await service.usage()
    return ((after.cpuSeconds - before.cpuSeconds) * 1000) / audioSeconds
  }
  // The first turn warms up.
  const added = []
  for (let turn = 0; turn <= imprintTurns; turn++) {
    const plain = await cpuMsPerSecond(voices.plain)
    added.push((await cpuMsPerSecond(voices.imprinted)) - plain)
  }
  listener.close()
  return median(added.slice(1))
}
