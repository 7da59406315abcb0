import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { serviceProcesses, startOnCore } from '../device/service-processes.js'
import { createListener } from '../load/listener.js'
import { goal, goalAtLeast } from '../shared/report.js'
import { createSentences } from '../shared/sentences.js'
import { median } from '../shared/statistics.js'

const apiKey = 'benchmark-of-voices'
const voices = ['Clara', 'Heart']
const starts = 7
const spokenSentences = 40
const settleMs = 20_000
// The service gives memory back after ten idle minutes.
const idleMs = 10 * 60_000 + settleMs

/**
 * Compares the natural voice with the voice that is always there: their starts take turns, then each speaks in a service of its
 * own that may use one core. Needs `taskset` (Linux).
 * @returns a row for each voice, and the goals for Heart.
 */
export async function measureNatural() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
  try {
    const startMs = await measureStarts(dataFolder)
    const services = []
    for (const core of voices.keys()) services.push(await startOnCore(core, { apiKey, dataFolder }))
    const uses = await Promise.all(voices.map((voice, index) => measureUse(voice, services[index])))
    const rows = voices.map((voice, index) => ({
      voice,
      startMs: median(startMs[voice]),
      ...uses[index],
    }))
    return { rows, goals: goalsFor(rows) }
  } finally {
    await rm(dataFolder, { recursive: true })
  }
}

/** The first start measures the speed of the machine and saves compiled code, so it does not count. */
async function measureStarts(dataFolder) {
  const startMs = { Clara: [], Heart: [] }
  const [sentence] = createSentences(1)
  for (let round = 0; round <= starts; round++) {
    for (const voice of round % 2 ? voices.toReversed() : voices) {
      const startedAt = performance.now()
      const service = await startLocalServiceProcess({ apiKey, dataFolder })
      const listeningMs = performance.now() - startedAt
      const { firstMs } = await speakAll(service, voice, [sentence])
      await service.close()
      if (round > 0) startMs[voice].push(listeningMs + firstMs)
    }
  }
  return startMs
}

async function measureUse(voice, service) {
  const memoryMiB = () => {
    const { residentMiB, childrenMiB } = serviceProcesses().find(({ pid }) => pid === service.pid)
    return residentMiB + childrenMiB
  }
  try {
    await wait(settleMs)
    const idleMiB = memoryMiB()
    const { audioSeconds, tookMs } = await speakAll(
      service,
      voice,
      createSentences(spokenSentences),
    )
    const spokenMiB = memoryMiB()
    await wait(idleMs)
    const timesRealTime = (audioSeconds * 1000) / tookMs
    return { timesRealTime, idleMiB, spokenMiB, afterIdleMiB: memoryMiB() }
  } finally {
    await service.close()
  }
}

async function speakAll({ baseUrl }, voice, sentences) {
  const listener = createListener(baseUrl, apiKey)
  const startedAt = performance.now()
  let audioSeconds = 0
  let firstMs
  for (const text of sentences) {
    const spoken = await listener.measure({ text, model: 'svc-tts-2', voice, encoding: 'PCM' })
    firstMs ??= spoken.firstMs
    audioSeconds += spoken.audioSeconds
  }
  listener.close()
  return { firstMs, audioSeconds, tookMs: performance.now() - startedAt }
}

function goalsFor([clara, heart]) {
  return [
    goal(
      "start to first audio of Heart, as a multiple of Clara's",
      heart.startMs / clara.startMs,
      2,
    ),
    goalAtLeast('times real time of Heart, one listener on one core', heart.timesRealTime, 12),
    goal('MiB of the idle service', heart.idleMiB, 140),
    goal('MiB more once Heart has spoken', heart.spokenMiB - heart.idleMiB, 90),
    goal('MiB more after ten idle minutes', heart.afterIdleMiB - heart.idleMiB, 10),
  ]
}
