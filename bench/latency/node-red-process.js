// A real Node-RED in its own process. It measures what its first message asks for and sends the rows. When it is
// disconnected, it deletes its user folder and exits.
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
const [task] = await once(process, 'message')
const RED = require(nodeRed)
await startNodeRed(task.connection)
process.send(await measure(task))

async function startNodeRed(connection) {
  const userDir = createUserDir(connection)
  // Node-RED needs a server for the editor, but nothing connects to it.
  RED.init(createServer(), settings(userDir))
  const flowsStarted = once(RED.events, 'flows:started', {
    signal: AbortSignal.timeout(startLimitMs),
  })
  await Promise.all([flowsStarted, RED.start()])
}

function createUserDir(connection) {
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
      row: { what: 'first byte of the service, requested from inside Node-RED', ...speech },
      firstMs: (text) => client.firstByteMs({ ...speech, text }),
    },
    {
      row: { what: `first audio message of speak, Node-RED ${version}`, ...speech },
      firstMs: (text) => firstMessageMs({ payload: text, modelId: speech.model }),
    },
  ])
  return takeTurns(kinds)
}

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
