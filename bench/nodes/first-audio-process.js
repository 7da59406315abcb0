// The time to the first message with audio, in a real Node-RED in its own process. It sends the rows.
import { once } from 'node:events'
import { receiveAudio, startNodeRed } from '../shared/node-red.js'
import { createRawClient } from '../shared/raw-client.js'
import { takeNamedTurns } from '../shared/take-turns.js'
import { createFlow, decodeId, requestId, speakId, speech } from './flow.js'

const sentenceCount = 40
const wordsPerSecond = 3

const [{ connection, lengths }] = await once(process, 'message')
const { RED, version } = await startNodeRed(createFlow(connection))
const client = createRawClient(connection)
const { modelId: model, voiceId: voice } = speech
const raw = { model, voice, encoding: speech.audioConfig.audioEncoding }

const kindsOf = (speechSeconds) => {
  const row = (what) => ({ what, speechSeconds, model })
  const textOf = (sentence) => lengthen(sentence, speechSeconds * wordsPerSecond)
  return {
    [`service ${speechSeconds}`]: {
      row: row('first byte of the service, requested from inside Node-RED'),
      firstMs: (sentence) => client.firstByteMs({ ...raw, text: textOf(sentence) }),
    },
    [`speak ${speechSeconds}`]: {
      row: row(`first audio message of speak, Node-RED ${version}`),
      firstMs: (sentence) =>
        firstMessageMs({ payload: textOf(sentence) }, { to: speakId, from: speakId }),
    },
    [`stock ${speechSeconds}`]: {
      row: row('audio message of http request and function'),
      firstMs: (sentence) => {
        const payload = { text: textOf(sentence), ...speech }
        return firstMessageMs({ payload }, { to: requestId, from: decodeId })
      },
    },
  }
}
const kinds = Object.assign({}, ...lengths.map(kindsOf))
process.send(await takeNamedTurns(kinds, sentenceCount))

async function firstMessageMs(message, nodes) {
  return (await receiveAudio(RED, message, nodes)).firstMs
}

/** Repeats or cuts the words of a sentence. */
function lengthen(sentence, wordCount) {
  const words = sentence.split(' ')
  return Array.from({ length: wordCount }, (_, index) => words[index % words.length]).join(' ')
}
