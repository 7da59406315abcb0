// NODE_OPTIONS loads this module first into every process of a soak, also into those that Node-RED starts. It records
// warnings and unhandled errors, reports the resources of the process, and kills its threads: the programs themselves have
// no interface for that.
import { appendFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { trackThreads } from '@parlando/test-support/watch/track-threads'

const { PARLANDO_SOAK_FOLDER: folder, PARLANDO_SOAK_ROLE: startedAs } = process.env
const isNodeRed = process.argv[1].endsWith('red.js')
// A process that Node-RED starts inherits its environment, and with it the role.
const role = startedAs === 'node-red' && !isNodeRed ? 'device' : startedAs

/** Writes synchronously, since the process may be about to exit. */
function recordIncident(kind, error) {
  const incident = { role, kind, text: String(error?.stack ?? error) }
  appendFileSync(join(folder, 'incidents'), `${JSON.stringify(incident)}\n`)
}
// A service starts its recognisers without its own settings, and so without those of the soak. It reports their failures.
const isObserved = folder !== undefined
if (isObserved) {
  process.on('uncaughtExceptionMonitor', (error, origin) => recordIncident(origin, error))
  process.on('warning', (warning) => recordIncident(warning.name, warning))
}

if (isObserved && isMainThread) await openChannel()

async function openChannel() {
  const started = trackThreads()
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const socket = connect(join(folder, 'channel'))
  socket.unref()
  // When the soak ends or crashes, this process must exit, too.
  socket.on('error', () => {})
  socket.on('close', () => process.exit(1))
  const send = (news) => socket.write(`${JSON.stringify(news)}\n`)
  const emitters = [process]
  const commands = {
    usage() {
      collectGarbage()
      const { rss, arrayBuffers } = process.memoryUsage()
      const resources = process.getActiveResourcesInfo()
      const count = (name) => resources.filter((resource) => resource === name).length
      return {
        ...heapUsage(),
        bufferBytes: arrayBuffers,
        rssBytes: rss,
        sockets: count('TCPSocketWrap'),
        children: count('ProcessWrap'),
        threads: started.size,
        timers: count('Timeout'),
        listeners: emitters.map(countListeners).reduce((sum, one) => sum + one, 0),
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
    const { id, command, ...values } = JSON.parse(line)
    send({ id, response: await commands[command](values) })
  })
  if (isNodeRed) {
    const { events, watchFlows } = await import('./flow-observer.js')
    emitters.push(events)
    commands.receive = watchFlows((event) => send({ event }))
  }
}

/** V8 keeps compiled functions and their bytecode in spaces of their own, where no object of a program is. */
function heapUsage() {
  const spaces = getHeapSpaceStatistics()
  const isOfCode = ({ space_name: name }) => name.includes('code') || name.includes('trusted')
  const usedBytes = (some) => some.reduce((sum, space) => sum + space.space_used_size, 0)
  const codeBytes = usedBytes(spaces.filter(isOfCode))
  return { heapBytes: usedBytes(spaces) - codeBytes, codeBytes }
}

function countListeners(emitter) {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
}
