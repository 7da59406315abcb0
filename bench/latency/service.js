import { createRawClient } from '../shared/raw-client.js'
import { goal } from '../shared/report.js'
import { takeTurns } from '../shared/take-turns.js'
import { cloneVoice } from './clone.js'

const mainVoice = 'Clara'
const goalsMs = { 'svc-tts-2-flash': 25, 'svc-tts-2': 100, 'svc-tts-1.5-max': 100 }

const speechesOf = (clonedVoice) => [
  ...Object.keys(goalsMs).flatMap((model) => [
    { model, voice: mainVoice, encoding: 'PCM' },
    { model, voice: mainVoice, encoding: 'MP3' },
  ]),
  ...['svc-tts-2-flash', 'svc-tts-2'].flatMap((model) =>
    ['Ralph', 'Angus', 'Kit'].map((voice) => ({ model, voice, encoding: 'PCM' })),
  ),
  ...Object.keys(goalsMs).flatMap((model) => [
    { model, voice: clonedVoice, encoding: 'PCM' },
    { model, voice: clonedVoice, encoding: 'MP3' },
  ]),
]

/** Requests every kind of speech, one request at a time. */
export async function measureService(connection) {
  console.log('Measuring the service without Node-RED, about three minutes')
  const client = createRawClient(connection)
  const clonedVoice = await cloneVoice(connection)
  const rows = await takeTurns(
    speechesOf(clonedVoice).map((speech) => ({
      row: { what: 'first byte of the service', ...speech },
      firstMs: (text) => client.firstByteMs({ ...speech, text }),
    })),
  )
  client.close()
  const named = rows.map((row) => (row.voice === clonedVoice ? { ...row, voice: 'a clone' } : row))
  const measured = named.filter(({ voice }) => voice === mainVoice || voice === 'a clone')
  return { rows: named, goals: measured.map(toGoal) }
}

function toGoal({ model, voice, encoding, p99Ms }) {
  const what = `p99 of first audio, ${model}, ${voice}, ${encoding}, service without Node-RED`
  return goal(what, p99Ms, goalsMs[model])
}
