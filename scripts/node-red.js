// Runs Node-RED with the nodes of this repository and the first example flow, which speaks in the open editor.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { repository } from './prepare.js'

const example = join(repository, 'examples/flows/01 - First words.json')
const exampleIds = ['parlando-01-inject', 'parlando-01-announce']
const stopLimitMs = 1_500

const [port, folderName] = process.argv.slice(2)
const folder = resolve(repository, folderName)
const require = createRequire(import.meta.url)

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

async function main() {
  layOut(folder)
  const RED = require(hasNode22() ? 'node-red' : 'node-red-4')
  const server = createServer((request, response) =>
    RED.httpAdmin(request, response, () => RED.httpNode(request, response)),
  )
  await listen(server)
  stopOnSignal(RED, server)
  RED.init(server, settings())
  const flowsStarted = new Promise((done) => RED.events.once('flows:started', done))
  await RED.start()
  await flowsStarted
  const address = `http://127.0.0.1:${port}/`
  // The flows in the folder may be the user's own.
  if (exampleIds.every((id) => RED.nodes.getNode(id)))
    console.log(`To hear it speak: open ${address} and click the button to the left of "say it"`)
  console.log(`Ready: ${address}`)
}

/** Copies the example into the folder unless it already has flows: they are the user's work. */
function layOut(path) {
  mkdirSync(path, { recursive: true })
  const flows = join(path, 'flows.json')
  if (!existsSync(flows)) copyFileSync(example, flows)
}

function settings() {
  return {
    uiHost: '127.0.0.1',
    uiPort: Number(port),
    httpAdminRoot: '/',
    httpNodeRoot: '/',
    userDir: folder,
    flowFile: 'flows.json',
    fileWorkingDirectory: folder,
    editorTheme: { tours: false },
    telemetry: { enabled: false, updateNotification: false },
    // Node-RED's warnings at the start concern settings that do not matter here.
    logging: { console: { level: 'error', metrics: false, audit: false } },
  }
}

function listen(server) {
  return new Promise((done, failed) => {
    server.once('error', (error) => {
      const isTaken = error.code === 'EADDRINUSE'
      const message = `Port ${port} is taken, perhaps by another Node-RED. Choose another one: npm start -- --port 1881`
      failed(isTaken ? new Error(message) : error)
    })
    server.listen(Number(port), '127.0.0.1', done)
  })
}

function stopOnSignal(RED, server) {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), stopLimitMs)
    await RED.stop()
    server.closeAllConnections()
    server.close(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function hasNode22() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 9)
}
