import { createRawClient } from '../shared/raw-client.js'
import { goal } from '../shared/report.js'
import { emptyProcessMs } from '../shared/run-process.js'
import { takeTurns } from '../shared/take-turns.js'
import { cloneVoice } from './clone.js'

const mainVoice = 'Clara'
// As multiples of the start of an empty Node.js process: 25 and 100 ms where that takes 40 ms.
const goalRatios = { 'svc-tts-2-flash': 0.625, 'svc-tts-2': 2.5, 'svc-tts-1.5-max': 2.5 }
const naturalVoice = 'Heart'
const naturalGoals = [
  { model: 'svc-tts-2-flash', percentile: 'p50', goalRatio: 1.5 },
  { model: 'svc-tts-2-flash', percentile: 'p99', goalRatio: 2.5 },
  { model: 'svc-tts-2', percentile: 'p99', goalRatio: 2.5 },
]

const speechesOf = (clonedVoice) => [
  ...Object.keys(goalRatios).flatMap((model) => [
    { model, voice: mainVoice, encoding: 'PCM' },
    { model, voice: mainVoice, encoding: 'MP3' },
  ]),
  ...['svc-tts-2-flash', 'svc-tts-2'].flatMap((model) =>
    ['Ralph', 'Angus', 'Kit', naturalVoice].map((voice) => ({ model, voice, encoding: 'PCM' })),
  ),
  ...Object.keys(goalRatios).flatMap((model) => [
    { model, voice: clonedVoice, encoding: 'PCM' },
    { model, voice: clonedVoice, encoding: 'MP3' },
  ]),
]

/** Requests every kind of speech, one request at a time. */
export async function measureService(connection) {
  console.log('Measuring the service without Node-RED, about three minutes')
  const client = createRawClient(connection)
  const clonedVoice = await cloneVoice(connection)
  const [empty, ...rows] = await takeTurns([
    { row: { what: 'start and end of an empty Node.js process' }, firstMs: emptyProcessMs },
    ...speechesOf(clonedVoice).map((speech) => ({
      row: { what: 'first byte of the service', ...speech },
      firstMs: (text) => client.firstByteMs({ ...speech, text }),
    })),
  ])
  client.close()
  const named = rows.map((row) => (row.voice === clonedVoice ? { ...row, voice: 'a clone' } : row))
  const measured = named.filter(({ voice }) => voice === mainVoice || voice === 'a clone')
  const goalFor = ({ model, voice, encoding, ...times }, percentile, goalRatio) =>
    goal(
      `times an empty Node.js process, p50: ${percentile} of first audio, ${model}, ${voice}, ${encoding}`,
      times[`${percentile}Ms`] / empty.p50Ms,
      goalRatio,
    )
  return {
    rows: [empty, ...named],
    goals: [
      ...measured.map((row) => goalFor(row, 'p99', goalRatios[row.model])),
      ...naturalGoals.map(({ model, percentile, goalRatio }) => {
        const row = named.find((row) => row.voice === naturalVoice && row.model === model)
        return goalFor(row, percentile, goalRatio)
      }),
    ],
  }
}
