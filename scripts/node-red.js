// Runs Node-RED with the nodes of this repository and the first example flow, which speaks once at the start.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const example = join(repository, 'examples/flows/01 - First words.json')
const injectId = 'parlando-01-inject'
const joinId = 'parlando-01-join'
const fileId = 'parlando-01-file'
const firstWordsLimitMs = 20_000
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
  console.log(await firstWords(RED))
  console.log(`Ready: http://127.0.0.1:${port}/`)
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

/** Presses the button of the example and waits for its file. @returns the line to print. */
async function firstWords(RED) {
  const inject = RED.nodes.getNode(injectId)
  if (!inject || !RED.nodes.getNode(fileId))
    return 'The first example was changed: the flow does not speak at the start.'
  let chunks = 0
  RED.hooks.add('onSend.first-words', (sent) => {
    for (const { msg, destination } of sent) {
      if (destination.id === joinId && msg.payload?.length > 0) chunks += 1
    }
  })
  const saved = new Promise((done) => {
    RED.hooks.add('onComplete.first-words', ({ msg, node, error }) => {
      if (node.id === fileId) done({ msg, error })
      else if (error) done({ error })
    })
  })
  const late = new Promise((done) => {
    const error = new Error(`no audio after ${firstWordsLimitMs / 1000} s`)
    setTimeout(done, firstWordsLimitMs, { error }).unref()
  })
  inject.receive()
  const { msg, error } = await Promise.race([saved, late])
  RED.hooks.remove('*.first-words')
  if (error) return `The first example did not speak: ${error.message}`
  const { durationSeconds, firstAudioMs } = msg.audio ?? {}
  if (durationSeconds === undefined)
    return 'The first example was changed: its audio facts are not available.'
  const seconds = durationSeconds.toFixed(1)
  const path = relative(repository, join(folder, 'first-words.wav'))
  return `Spoke ${seconds} s in ${chunks} chunks, first audio after ${Math.round(firstAudioMs)} ms: ${path}`
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
