// Loaded into every process of a soak before all else, by NODE_OPTIONS, so that also what Node-RED starts has it. It
// writes down what should never happen, tells what the process holds when it is asked, and kills threads when it is told
// to: nothing in the programs themselves could.
import { appendFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { noteThreads } from '@parlando/test-support/track-threads'

const { PARLANDO_SOAK_FOLDER: folder, PARLANDO_SOAK_ROLE: startedAs } = process.env
const isNodeRed = process.argv[1].endsWith('red.js')
// What Node-RED starts has its environment, and so its role.
const role = startedAs === 'node-red' && !isNodeRed ? 'device' : startedAs

/** To a file and at once: the process may be about to end. */
function complain(kind, error) {
  const complaint = { role, kind, text: String(error?.stack ?? error) }
  appendFileSync(join(folder, 'complaints'), `${JSON.stringify(complaint)}\n`)
}
process.on('uncaughtExceptionMonitor', (error, origin) => complain(origin, error))
process.on('warning', (warning) => complain(warning.name, warning))

if (isMainThread) await openChannel()

async function openChannel() {
  const started = noteThreads()
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const socket = connect(join(folder, 'channel'))
  socket.unref()
  // When the soak is gone, however it ended, nobody needs the process any more.
  socket.on('error', () => {})
  socket.on('close', () => process.exit(1))
  const send = (news) => socket.write(`${JSON.stringify(news)}\n`)
  const orders = {
    held() {
      collectGarbage()
      const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
      const resources = process.getActiveResourcesInfo()
      const count = (name) => resources.filter((resource) => resource === name).length
      return {
        heapBytes: heapUsed,
        bufferBytes: arrayBuffers,
        rssBytes: rss,
        sockets: count('TCPSocketWrap'),
        children: count('ProcessWrap'),
        threads: started.size,
      }
    },
    async killThreads() {
      const killed = [...started]
      await Promise.all(killed.map((thread) => thread.terminate()))
      return killed.length
    },
  }
  send({ hello: { role, pid: process.pid } })
  const lines = createInterface({ input: socket })
  lines.on('error', () => {})
  lines.on('line', async (line) => {
    const { id, order, ...values } = JSON.parse(line)
    send({ id, answer: await orders[order](values) })
  })
  if (isNodeRed) {
    const { watchFlows } = await import('./flow-witness.js')
    orders.receive = watchFlows((event) => send({ event }))
  }
}
