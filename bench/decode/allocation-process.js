// Counts what each candidate allocates, in a process whose memory for young objects is so large that nothing has to be
// collected meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import { GCProfiler } from 'node:v8'
import { createBody, readsOf } from './body.js'
import { bounds } from './bounds.js'
import { push } from './ours.js'
import { peers } from './peers.js'

const chunkBytes = 16 * 1024
const readBytes = 16 * 1024
const warmingRuns = 5
const collections = 3
const sweepMs = 50
const minBytesPerAudioByte = 0.99

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const warmingReads = readsOf(createBody({ chunkBytes, audioBytes: 1024 * 1024 }), readBytes)
const reads = readsOf(createBody({ chunkBytes, audioBytes: 4 * 1024 * 1024 }), readBytes)
const bytesPerAudioByte = {}
for (const candidate of [...peers, push, ...bounds]) {
  bytesPerAudioByte[candidate.name] = await measureAllocation(candidate)
}
process.send({ chunkBytes, readBytes, bytesPerAudioByte })

async function measureAllocation({ name, prepare, run }) {
  prepare?.(warmingReads)
  prepare?.(reads)
  for (let count = 0; count < warmingRuns; count++) await run(warmingReads, () => {})
  // Trap: buffers are freed on another thread some time later, and would then be taken off what is counted here.
  for (let count = 0; count < collections; count++) {
    globalThis.gc()
    await delay(sweepMs)
  }
  const profiler = new GCProfiler()
  profiler.start()
  const before = heldBytes()
  await run(reads, () => {})
  const allocatedBytes = heldBytes() - before
  if (profiler.stop().statistics.length > 0)
    throw new Error(`${name} had garbage collected while it was measured`)
  const bytesPerAudioByte = allocatedBytes / reads.audio.length
  // The audio itself is allocated by everybody.
  if (bytesPerAudioByte < minBytesPerAudioByte) {
    throw new Error(`${name} allocates less than its audio: the count is wrong`)
  }
  return bytesPerAudioByte
}

/** What is external holds the bytes of buffers as well. */
function heldBytes() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
