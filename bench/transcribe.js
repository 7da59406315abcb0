// From the end of a turn to its final text, compared with the recogniser; interim results; the memory that a long recording
// takes; and parallel streams.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { createClient } from '@parlando/core'
import { goal, report } from './shared/report.js'
import { endProcess, startProcess } from './shared/run-process.js'
import { createSentences } from './shared/sentences.js'
import { startService } from './shared/service.js'
import { median, summarize } from './shared/statistics.js'
import { measureHour } from './transcribe/one-hour.js'
import { speakTurn } from './transcribe/speak-turn.js'

const turns = 20
// More than the cores, so pocketsphinx needs its quick settings.
const parallelStreams = 8
const turnsPerStream = 3
// The turn detector would have ended the turn after this silence.
const silenceMs = 700
const bytesPerMs = 32

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const recogniser = await startProcess(
  new URL('transcribe/recogniser-process.js', import.meta.url),
  { nodeOptions: ['--conditions=@parlando/source', '--disable-warning=ExperimentalWarning'] },
)
if (!recogniser.message.isInstalled) {
  throw new Error('This benchmark needs pocketsphinx: apt install pocketsphinx pocketsphinx-en-us')
}
console.log('Measuring transcription, about six minutes')
const service = await startService()
const client = createClient({ baseUrl: service.baseUrl })
try {
  const utterances = []
  for (const sentence of createSentences(turns)) utterances.push(await speak(sentence))
  const { measured, recogniserOnly } = await measureTurns(utterances)
  const parallel = await measureParallel(utterances)
  const hour = await measureHour(client, service, utterances[0])
  const added = measured.map(({ finalMs }, turn) => finalMs - recogniserOnly[turn])
  const interimMs = measured.flatMap((turn) => turn.interimMs)
  const finalMs = measured.map((turn) => turn.finalMs)
  const streams = summarize(parallel.flat())
  // In its first turn, a stream waits until the recogniser has loaded its language model once more.
  const laterTurns = summarize(parallel.flatMap(([, ...later]) => later))
  report({
    bench: 'transcribe',
    rows: [
      { what: 'final text', ...summarize(finalMs) },
      { what: 'final text, the recogniser only', ...summarize(recogniserOnly) },
      { what: 'between interim texts', ...summarize(interimMs) },
      { what: `final text, ${parallelStreams} streams`, ...streams },
      { what: '- without the first turn of each', ...laterTurns },
      { what: 'a recording of an hour', ...hour },
    ],
    goals: [
      goal('ms of a final text over the time of the recogniser, p50', median(added), 30),
      goal(`ms of a final text, ${parallelStreams} streams, p95`, streams.p95Ms, 1000),
      goal('MiB of memory, from the second quarter of an hour to the last', hour.growthMiB, 20),
    ],
    jsonPath: values.json,
  })
} finally {
  await client.close()
  await service.close()
  await endProcess(recogniser.child)
}

async function speak(text) {
  const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16_000 }
  const speech = { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
  const { audio } = await client.synthesize(speech)
  return Buffer.concat([audio, Buffer.alloc(silenceMs * bytesPerMs)])
}

/** Through the service and without it in turns, so that other load on the machine affects both. */
async function measureTurns(utterances) {
  const { stream, events } = openStream()
  const measured = []
  const recogniserOnly = []
  // The first turn starts the recogniser's process.
  await speakTurn(stream, events, utterances[0])
  for (const utterance of utterances) {
    measured.push(await speakTurn(stream, events, utterance))
    recogniser.child.send({ pcm: utterance.toString('base64') })
    const [{ finalMs }] = await once(recogniser.child, 'message')
    recogniserOnly.push(finalMs)
  }
  await stream.close()
  return { measured, recogniserOnly }
}

/** @returns the times from the end of a turn to its text, of each stream. */
async function measureParallel(utterances) {
  const measureStream = async (number) => {
    const { stream, events } = openStream()
    const times = []
    for (let turn = 0; turn < turnsPerStream; turn++) {
      const utterance = utterances[(number + turn) % utterances.length]
      times.push((await speakTurn(stream, events, utterance)).finalMs)
    }
    await stream.close()
    return times
  }
  const numbers = Array.from({ length: parallelStreams }, (_, number) => number)
  return Promise.all(numbers.map(measureStream))
}

function openStream() {
  const stream = client.transcribeStream({ endOfTurn: { vadThreshold: 0 } })
  return { stream, events: stream[Symbol.asyncIterator]() }
}
