// A real Node-RED in its own process. It measures what its first message asks for and sends the rows.
import { once } from 'node:events'
import { firstMessageMs, startNodeRed } from '../shared/node-red.js'
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
    firstMs: (text) => firstMessageMs(RED, speakId, { payload: text, modelId: speech.model }),
  },
])
process.send(await takeTurns(kinds))
