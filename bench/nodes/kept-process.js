// The time to the first message with audio of a text that was spoken before, in a real Node-RED in its own process. It sends the rows.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { receiveAudio, startNodeRed } from '../shared/node-red.js'
import { createSentences } from '../shared/sentences.js'
import { takeNamedTurns } from '../shared/take-turns.js'
import { createFlow, speech } from './flow.js'

const sentenceCount = 40
const warmingCount = 10
const tab = 'bench-kept'
const listener = 'bench-kept-listener'

const [{ connection }] = await once(process, 'message')
const sentences = createSentences(sentenceCount + warmingCount)
const places = [
  { id: 'memory', what: 'kept in memory', settings: { keepSound: 'memory' } },
  { id: 'disk', what: 'kept on disk', settings: { keepSound: 'disk' } },
  { id: 'prepared', what: 'prepared', settings: { prepared: sentences.join('\n') } },
]
const { RED } = await startNodeRed(createKeptFlow())
const serviceOf = (id) => RED.nodes.getNode(`bench-kept-${id}`)
// A prepared sentence is never made by a message.
await until(async () => (await serviceOf('prepared').speech.report()).misses >= sentences.length)

const kindOf = ({ id, what }) => ({
  row: { what: `first audio message of speak, ${what}`, model: speech.modelId },
  async firstMs(text) {
    if (id !== 'prepared') await say(id, text)
    return (await say(id, text)).firstMs
  },
})
const kinds = Object.fromEntries(places.map((place) => [place.id, kindOf(place)]))
process.send(await takeNamedTurns(kinds, sentenceCount, warmingCount))

async function say(id, payload) {
  const { sounds: before = 0 } = await serviceOf(id).speech.report()
  const speak = `bench-kept-speak-${id}`
  const heard = await receiveAudio(RED, { payload }, { to: speak, from: speak })
  const { misses } = await serviceOf(id).speech.report()
  await until(async () => {
    const { sounds = 0 } = await serviceOf(id).speech.report()
    return id === 'prepared' || sounds >= misses || sounds > before
  })
  return heard
}

function createKeptFlow() {
  const { flows, credentials } = createFlow(connection)
  const [first] = Object.values(credentials)
  const { audioEncoding: encoding } = speech.audioConfig
  const hosted = { type: 'parlando-service', location: 'hosted', baseUrl: connection.baseUrl }
  const voice = { voice: speech.voiceId, model: speech.modelId, encoding }
  const speak = { type: 'parlando-speak', z: tab, text: 'payload', textType: 'msg' }
  const output = { output: 'chunks', busy: 'wait', wires: [[listener]] }
  const kept = places.flatMap(({ id, settings }) => [
    { id: `bench-kept-${id}`, ...hosted, ...voice, ...settings },
    { id: `bench-kept-speak-${id}`, ...speak, ...output, service: `bench-kept-${id}` },
  ])
  const keys = Object.fromEntries(places.map(({ id }) => [`bench-kept-${id}`, first]))
  return {
    flows: [
      ...flows,
      { id: tab, type: 'tab', label: 'Kept' },
      { id: listener, type: 'debug', z: tab, active: false, wires: [] },
      ...kept,
    ],
    credentials: { ...credentials, ...keys },
  }
}

async function until(isReached) {
  while (!(await isReached())) await delay(5)
}
