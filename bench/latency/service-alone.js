import { createRawClient } from '../shared/raw-client.js'
import { goal } from '../shared/report.js'
import { takeTurns } from './take-turns.js'

const mainVoice = 'Clara'
const goalsMs = { 'svc-tts-2-flash': 25, 'svc-tts-2': 100, 'svc-tts-1.5-max': 100 }

const speeches = [
  ...Object.keys(goalsMs).flatMap((model) => [
    { model, voice: mainVoice, encoding: 'PCM' },
    { model, voice: mainVoice, encoding: 'MP3' },
  ]),
  ...['svc-tts-2-flash', 'svc-tts-2'].flatMap((model) =>
    ['Ralph', 'Angus', 'Kit'].map((voice) => ({ model, voice, encoding: 'PCM' })),
  ),
]

/** Asks the service for every kind of speech, one request at a time. */
export async function measureService(connection) {
  console.log('Measuring the service alone, some two minutes')
  const client = createRawClient(connection)
  const rows = await takeTurns(
    speeches.map((speech) => ({
      row: { what: 'first byte of the service alone', ...speech },
      firstMs: (text) => client.firstByteMs({ ...speech, text }),
    })),
  )
  client.close()
  return { rows, goals: rows.filter(({ voice }) => voice === mainVoice).map(toGoal) }
}

function toGoal({ model, encoding, p99Ms }) {
  return goal(`p99 of first audio, ${model}, ${encoding}, service alone`, p99Ms, goalsMs[model])
}
