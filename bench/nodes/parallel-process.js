// Many messages in speak nodes at once, which all receive speech in real time. It sends the row.
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { startNodeRed } from '../shared/node-red.js'
import { createFlow } from './flow.js'

// A node handles at most 16 messages in parallel.
const speakIds = Array.from({ length: 10 }, (_, index) => `bench-speak-${index}`)
const messagesPerNode = 10
const settleMs = 2000
const windowMs = 5000
const delayResolutionMs = 2
const bytesPerMiB = 1024 * 1024

const [{ connection }] = await once(process, 'message')
const { RED } = await startNodeRed(createFlow(connection, speakIds))
await delay(settleMs)
const idleBytes = process.memoryUsage.rss()
const idle = await measureWindow()

const receiving = new Set()
RED.hooks.add('onSend.parallel', ([{ msg, source }]) => {
  if (speakIds.includes(source.id)) receiving.add(msg.request)
})
for (const id of speakIds) {
  for (let index = 0; index < messagesPerNode; index++) {
    const message = { payload: 'Good morning, the coffee is ready.', request: `${id} ${index}` }
    RED.nodes.getNode(id).receive(message)
  }
}
await delay(settleMs)
const busy = await measureWindow()
process.send(
  {
    what: 'speak, messages in parallel',
    messages: receiving.size,
    loopDelayP99Ms: busy.loopDelayP99Ms,
    idleLoopDelayP99Ms: idle.loopDelayP99Ms,
    cpuPercent: busy.cpuPercent,
    aboveIdleMiB: (process.memoryUsage.rss() - idleBytes) / bytesPerMiB,
  },
  () => process.exit(),
)

async function measureWindow() {
  const loopDelay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  loopDelay.enable()
  const before = process.cpuUsage()
  await delay(windowMs)
  const { user, system } = process.cpuUsage(before)
  loopDelay.disable()
  return {
    loopDelayP99Ms: loopDelay.percentile(99) / 1e6,
    cpuPercent: (user + system) / windowMs / 10,
  }
}
