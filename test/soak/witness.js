// NODE_OPTIONS loads this file first into every process of the soak test, including the children of Node-RED. It records
// events that must never happen. On request it reports the resources of the process or kills its threads, which the
// programs themselves cannot do.
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
// The children of Node-RED inherit its environment, and with it its role.
const role = startedAs === 'node-red' && !isNodeRed ? 'device' : startedAs

/** Synchronously to a file, because the process may be about to exit. */
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
  // Exit when the soak test has ended for any reason.
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
