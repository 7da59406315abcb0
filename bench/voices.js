// The time and the memory that voices take: after the start, idle and speaking, for one, two and four voices at a time; and
// what the natural voice takes beside the one that is always there. With --quality, how they sound instead.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { serviceProcesses } from './device/service-processes.js'
import { createListener } from './load/listener.js'
import { report } from './shared/report.js'
import { createSentences } from './shared/sentences.js'
import { median } from './shared/statistics.js'
import { measureNatural } from './voices/natural.js'

const apiKey = 'benchmark-of-voices'
const counts = [1, 2, 4]
const sentencesPerVoice = 10
const settleMs = 8_000
const samplingMs = 200

const { values } = parseArgs({
  options: {
    voices: { type: 'string', default: 'Clara,Ralph,Angus,Kit' },
    'data-folder': { type: 'string' },
    'engines-folder': { type: 'string' },
    quality: { type: 'boolean' },
    json: { type: 'string' },
  },
})
const voices = values.voices.split(',')
const places = { dataFolder: values['data-folder'], enginesFolder: values['engines-folder'] }

if (values.quality) {
  // The real models of the tests, and what reads them.
  const { measureQuality } = await import('./voices/quality.js')
  console.log('Measuring how voices sound, about six minutes')
  report({ bench: 'voices --quality', ...(await measureQuality()), jsonPath: values.json })
} else {
  console.log(`Measuring ${voices.join(', ')}, then Clara and Heart, about fifteen minutes`)
  const rows = []
  for (const count of counts) {
    const spoken = Array.from({ length: count }, (_, index) => voices[index % voices.length])
    rows.push({ voices: count, ...(await measureStart(spoken[0])), ...(await measureUse(spoken)) })
  }
  const natural = await measureNatural()
  report({
    bench: 'voices',
    rows: [...rows, ...natural.rows],
    goals: natural.goals,
    jsonPath: values.json,
  })
}

/** @returns the time from the start of the service to the first audio of a request that comes at once. */
async function measureStart(voice) {
  const startedAt = performance.now()
  return withService(async (speak) => {
    const listeningMs = performance.now() - startedAt
    const [sentence] = createSentences(1)
    return { startMs: listeningMs + (await speak(voice, sentence)).firstMs }
  })
}

/** @returns the memory and the speed of a service in which all of these voices speak at the same time. */
function measureUse(spoken) {
  return withService(async (speak) => {
    await wait(settleMs)
    const idleMiB = memoryMiB()
    const sentences = createSentences(spoken.length * sentencesPerVoice)
    // Loads the models.
    for (const voice of spoken) await speak(voice, sentences[0])
    const samplesMiB = []
    const sampling = setInterval(() => samplesMiB.push(memoryMiB()), samplingMs)
    const startedAt = performance.now()
    const speeches = await Promise.all(
      spoken.map((voice, index) => {
        const start = index * sentencesPerVoice
        return speakAll(speak, voice, sentences.slice(start, start + sentencesPerVoice))
      }),
    ).finally(() => clearInterval(sampling))
    const tookMs = performance.now() - startedAt
    samplesMiB.push(memoryMiB())
    const all = speeches.flat()
    const audioSeconds = all.reduce((sum, speech) => sum + speech.audioSeconds, 0)
    return {
      idleMiB,
      speakingMiB: Math.max(...samplesMiB),
      firstAudioMs: median(all.map(({ firstMs }) => firstMs)),
      msPerSecondOfSpeech: tookMs / audioSeconds,
    }
  })
}

async function speakAll(speak, voice, sentences) {
  const speeches = []
  for (const sentence of sentences) speeches.push(await speak(voice, sentence))
  return speeches
}

async function withService(measure) {
  const service = await startLocalServiceProcess({ apiKey, ...places })
  const speak = async (voice, text) => {
    const listener = createListener(service.baseUrl, apiKey)
    const speech = { text, model: 'svc-tts-2', voice, encoding: 'PCM' }
    return listener.measure(speech).finally(listener.close)
  }
  return measure(speak).finally(service.close)
}

/** The resident memory of the service and of the processes in which it runs models and espeak-ng. */
function memoryMiB() {
  const [{ residentMiB, childrenMiB }] = serviceProcesses()
  return residentMiB + childrenMiB
}
