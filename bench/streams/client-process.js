// Receives many streams with one client and reports the cost.
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { bytesPerMs } from '../shared/serve.js'
import { speechClients } from '../shared/speech-clients.js'

const streamCount = 1000
const startsPerTurn = 20
const turnMs = 20
const settleMs = 1500
const windowMs = 3000
const sampleMs = 100
const delayResolutionMs = 2
// A player that has buffered this much does not run dry.
const maxLateMs = 100
const bytesPerMiB = 1024 * 1024

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const [{ baseUrl, clientName }] = await once(process, 'message')
const client = await speechClients[clientName](baseUrl)
process.send(await measure(client), () => process.exit())

async function measure(client) {
  await delay(settleMs)
  const idleBytes = process.memoryUsage.rss()
  const listeners = await startListeners(client)
  await delay(settleMs)

  for (const listener of listeners) listener.worstLateMs = 0
  const receivedBefore = totalBytes(listeners)
  const loopDelay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  loopDelay.enable()
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const largestBytes = await watchMemory()
  const { user, system } = process.cpuUsage(cpuBefore)
  const elapsedMs = performance.now() - startedAt
  loopDelay.disable()
  const receivedKilobytes = (totalBytes(listeners) - receivedBefore) / 1000
  const onTime = listeners.filter((one) => one.receivedBytes > 0 && one.worstLateMs <= maxLateMs)
  return {
    streams: streamCount,
    inRealTime: onTime.length,
    kilobytesPerSecond: (receivedKilobytes * 1000) / elapsedMs,
    cpuPercent: (user + system) / elapsedMs / 10,
    // The measure to compare: a client that falls behind also uses less CPU.
    cpuMicrosecondsPerKilobyte: (user + system) / receivedKilobytes,
    idleMiB: idleBytes / bytesPerMiB,
    aboveIdleMiB: (largestBytes - idleBytes) / bytesPerMiB,
    loopDelayP99Ms: loopDelay.percentile(99) / 1e6,
    loopDelayMaxMs: loopDelay.max / 1e6,
  }
}

async function startListeners(client) {
  const listeners = []
  while (listeners.length < streamCount) {
    for (let count = 0; count < startsPerTurn; count++) listeners.push(listen(client))
    await delay(turnMs)
  }
  return listeners
}

/** Records how late the audio arrives for a player that started with the first chunk. */
function listen(client) {
  const listener = { receivedBytes: 0, worstLateMs: 0 }
  let firstAt
  const spoken = client.speak((audio) => {
    const now = performance.now()
    firstAt ??= now
    const lateMs = now - firstAt - listener.receivedBytes / bytesPerMs
    listener.receivedBytes += audio.length
    if (lateMs > listener.worstLateMs) listener.worstLateMs = lateMs
  })
  const stop = (error) => {
    console.error('A stream ended too early', error ?? '')
    process.exit(1)
  }
  spoken.then(() => stop(), stop)
  return listener
}

async function watchMemory() {
  let largestBytes = 0
  for (let waitedMs = 0; waitedMs < windowMs; waitedMs += sampleMs) {
    await delay(sampleMs)
    largestBytes = Math.max(largestBytes, process.memoryUsage.rss())
  }
  return largestBytes
}

function totalBytes(listeners) {
  return listeners.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0)
}
