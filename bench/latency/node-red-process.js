// A real Node-RED in its own process. It measures what its first message asks for and sends the rows.
import { once } from 'node:events'
import { startNodeRed } from '../shared/node-red.js'
import { createRawClient } from '../shared/raw-client.js'
import { takeTurns } from '../shared/take-turns.js'
import { audioOf, createFlow, speakId } from './flow.js'

const [{ connection, models }] = await once(process, 'message')
const { RED, version } = await startNodeRed(createFlow(connection))
const client = createRawClient(connection)
const kinds = models.map(audioOf).flatMap((speech) => [
  {
    row: { what: 'first byte of the service, requested from inside Node-RED', ...speech },
    firstMs: (text) => client.firstByteMs({ ...speech, text }),
  },
  {
    row: { what: `first audio message of speak, Node-RED ${version}`, ...speech },
    firstMs: (text) => firstMessageMs({ payload: text, modelId: speech.model }),
  },
])
process.send(await takeTurns(kinds))

/** Sends the message to the speak node and resolves after the whole utterance. */
function firstMessageMs(message) {
  const speak = RED.nodes.getNode(speakId)
  return new Promise((resolve, reject) => {
    let firstMs
    RED.hooks.add('onSend.utterance', ([{ msg, source }]) => {
      if (source.id === speakId && msg.payload.length > 0) firstMs ??= performance.now() - startedAt
    })
    RED.hooks.add('onComplete.utterance', ({ node, error }) => {
      if (node.id !== speakId) return
      RED.hooks.remove('*.utterance')
      if (error) reject(error)
      else resolve(firstMs)
    })
    const startedAt = performance.now()
    speak.receive(message)
  })
}
