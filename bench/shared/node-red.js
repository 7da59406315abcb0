import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

const startLimitMs = 30_000

/**
 * Starts a real Node-RED in this process, which ends with its parent and then deletes its user folder.
 * @returns the runtime, its version, and the address of its HTTP nodes.
 */
export async function startNodeRed({ flows, credentials, withNodes = true }) {
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
  const name = hasNode22() ? 'node-red' : 'node-red-4'
  const RED = require(name)
  const userDir = createUserDir(flows, credentials)
  const server = createServer((request, response) => RED.httpNode(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  RED.init(server, settings(userDir, withNodes))
  const flowsStarted = once(RED.events, 'flows:started', {
    signal: AbortSignal.timeout(startLimitMs),
  })
  await Promise.all([flowsStarted, RED.start()])
  return {
    RED,
    version: require(`${name}/package.json`).version,
    baseUrl: `http://127.0.0.1:${server.address().port}`,
  }
}

function createUserDir(flows, credentials) {
  const userDir = mkdtempSync(join(tmpdir(), 'parlando-bench-'))
  process.on('exit', () => rmSync(userDir, { recursive: true, force: true }))
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))
  writeFileSync(join(userDir, 'flows_cred.json'), JSON.stringify(credentials), { mode: 0o600 })
  return userDir
}

function settings(userDir, withNodes) {
  return {
    userDir,
    // Node-RED finds the nodes of this repository by itself.
    externalModules: { palette: { denyList: withNodes ? [] : ['@parlando/*'] } },
    flowFile: 'flows.json',
    // The address that players fetch sounds from begins with it.
    uiHost: '127.0.0.1',
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'error', metrics: false, audit: false } },
  }
}

function hasNode22() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 9)
}

/**
 * Sends the message to one node, and resolves when another node has handled it.
 * @param nodes `to` is the ID of the node that receives it, `from` the ID of the node that sends the audio.
 * @returns the time to the first message with audio, and the number of these messages.
 */
export function receiveAudio(RED, message, { to, from }) {
  return new Promise((resolve, reject) => {
    let firstMs
    let messages = 0
    RED.hooks.add('onSend.utterance', ([{ msg, source }]) => {
      if (source.id !== from || msg.payload.length === 0) return
      firstMs ??= performance.now() - startedAt
      messages++
    })
    RED.hooks.add('onComplete.utterance', ({ node, error }) => {
      if (node.id !== from && !error) return
      RED.hooks.remove('*.utterance')
      if (error) reject(error)
      else resolve({ firstMs, messages })
    })
    const startedAt = performance.now()
    RED.nodes.getNode(to).receive(message)
  })
}
