// A real Node-RED in a process of its own. It measures what it is sent, answers with the rows and leaves, with its
// user folder, as soon as nobody listens any more.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRawClient } from '../shared/raw-client.js'
import { audioOf, createFlow, speakId } from './flow.js'
import { takeTurns } from './take-turns.js'

const startLimitMs = 30_000

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const require = createRequire(import.meta.url)
const nodeRed = hasNode22() ? 'node-red' : 'node-red-4'
const [order] = await once(process, 'message')
const RED = require(nodeRed)
await startNodeRed(order.connection)
process.send(await measure(order))

async function startNodeRed(connection) {
  const userDir = layOutUserDir(connection)
  // The server carries the editor's side of Node-RED, as it always runs, but need not be reached.
  RED.init(createServer(), settings(userDir))
  const flowsStarted = once(RED.events, 'flows:started', {
    signal: AbortSignal.timeout(startLimitMs),
  })
  await Promise.all([flowsStarted, RED.start()])
}

function layOutUserDir(connection) {
  const userDir = mkdtempSync(join(tmpdir(), 'parlando-bench-'))
  process.on('exit', () => rmSync(userDir, { recursive: true, force: true }))
  const { flows, credentials } = createFlow(connection)
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))
  writeFileSync(join(userDir, 'flows_cred.json'), JSON.stringify(credentials), { mode: 0o600 })
  return userDir
}

function settings(userDir) {
  return {
    userDir,
    flowFile: 'flows.json',
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'error', metrics: false, audit: false } },
  }
}

function hasNode22() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 9)
}

async function measure({ connection, models }) {
  const { version } = require(`${nodeRed}/package.json`)
  const client = createRawClient(connection)
  const kinds = models.map(audioOf).flatMap((speech) => [
    {
      row: { what: 'first byte of the service, asked from inside Node-RED', ...speech },
      firstMs: (text) => client.firstByteMs({ ...speech, text }),
    },
    {
      row: { what: `first audio message out of speak, Node-RED ${version}`, ...speech },
      firstMs: (text) => firstMessageMs({ payload: text, modelId: speech.model }),
    },
  ])
  return takeTurns(kinds)
}

/** Hands the message to speak and resolves when the whole utterance is over. */
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
