// The processor time of a chunk, for the client in a loop and for the speak node around it, in a real Node-RED. It sends the rows.
import { once } from 'node:events'
import { createClient } from '@parlando/core'
import { receiveAudio, startNodeRed } from '../shared/node-red.js'
import { median } from '../shared/statistics.js'
import { createFlow, speakId, speech } from './flow.js'

const rounds = 30
const warmingRounds = 10
const text = 'Good morning, the coffee is ready.'

const [{ connection }] = await once(process, 'message')
const { RED } = await startNodeRed(createFlow(connection))
const client = createClient(connection)
const core = { what: 'core, for await', run: readWithCore, cpuMicroseconds: [] }
const speak = { what: 'speak, one message per chunk', run: speakIntoFlow, cpuMicroseconds: [] }
const ways = [core, speak]
for (let round = -warmingRounds; round < rounds; round++) {
  for (const { run, cpuMicroseconds } of round % 2 ? ways.toReversed() : ways) {
    const before = process.cpuUsage()
    const chunks = await run()
    const { user, system } = process.cpuUsage(before)
    if (round >= 0) cpuMicroseconds.push((user + system) / chunks)
  }
}
process.send({ core: rowOf(core), speak: rowOf(speak) })

function rowOf({ what, cpuMicroseconds }) {
  return { what, cpuMicrosecondsPerChunk: median(cpuMicroseconds) }
}

async function readWithCore() {
  let chunks = 0
  for await (const { audio } of client.synthesizeStream({ text, ...speech })) {
    if (audio.length > 0) chunks++
  }
  return chunks
}

async function speakIntoFlow() {
  return (await receiveAudio(RED, { payload: text }, { to: speakId, from: speakId })).messages
}
