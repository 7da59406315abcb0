// Wake words: how many each detector misses in noise, how many it finds that nobody said, how soon it finds them, and the processor
// time that it takes.
import { parseArgs } from 'node:util'
import { findProgram } from '@parlando/test-support/programs/installed-programs'
import { startWakeWordDetectors } from '../packages/local-service/src/wake-words/wake-word-registry.ts'
import { recordingPrograms } from '../test/turns/recordings.ts'
import { goal, report } from './shared/report.js'
import { percentile } from './shared/statistics.js'
import { measureFalseAlarms } from './wake/false-alarms.js'
import { measureWords } from './wake/measure-words.js'
import { speakWords } from './wake/speak-words.js'

const levelsDb = [Number.POSITIVE_INFINITY, 20, 10, 5]
const openPhrases = ['Hey Jarvis', 'hey computer']

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '3' },
    detector: { type: 'string' },
    'open-wake-words': { type: 'string' },
    'sherpa-models': { type: 'string' },
    'wyoming-wake-words': { type: 'string' },
    'data-folder': { type: 'string' },
    json: { type: 'string' },
  },
})
const missing = recordingPrograms.find((program) => !findProgram(program))
if (missing) throw new Error(`This benchmark needs ${missing}. Run .ci/install-packages`)
const hours = Number(values.hours)
console.log(`Measuring wake words, with ${hours} hours of other sound: about half an hour`)
const detectors = await startWakeWordDetectors({
  openWakeWords: values['open-wake-words'],
  sherpaModels: values['sherpa-models'],
  wyomingWakeWords: values['wyoming-wake-words'],
  dataFolder: values['data-folder'],
  warn: (message) => console.error(message),
})
const rows = []
const goals = []
try {
  for (const detector of detectors.values()) {
    if (values.detector && detector.name !== values.detector) continue
    for (const model of detector.models) {
      const phrases = model.phrases ?? openPhrases
      for (const phrase of phrases) await measurePhrase(detector, model, phrase)
      const others = await measureFalseAlarms({ detector, model, phrases, hours })
      const what = `${model.modelId}: other sound`
      rows.push({ what, ...others })
      goals.push(
        goal(`false alarms an hour, ${model.modelId}`, others.falseAlarms / others.hours, 0.5),
        goal(`percent of a core for each phrase, ${model.modelId}`, others.corePercent, 3),
      )
    }
  }
} finally {
  await Promise.all([...detectors.values()].map((detector) => detector.close()))
}
report({ bench: 'wake', rows, goals, jsonPath: values.json })

async function measurePhrase(detector, model, phrase) {
  const words = await speakWords(phrase)
  for (const levelDb of levelsDb) {
    const { missed, delaysMs } = await measureWords({ detector, model, phrase, words, levelDb })
    const of = missed + delaysMs.length
    const level = Number.isFinite(levelDb) ? `${levelDb} dB` : 'clean'
    const what = `${model.modelId}: "${phrase}", ${level}`
    const delays = { p50Ms: percentile(delaysMs, 50), p95Ms: percentile(delaysMs, 95) }
    rows.push({ what, words: of, missed, missedPercent: (100 * missed) / of, ...delays })
    if (levelDb !== 10) continue
    goals.push(
      goal(
        `percent of missed words at 10 dB, ${model.modelId}, "${phrase}"`,
        (100 * missed) / of,
        5,
      ),
      goal(
        `ms from the end of a word to its event, p50, ${model.modelId}, "${phrase}"`,
        delays.p50Ms,
        250,
      ),
    )
  }
}
