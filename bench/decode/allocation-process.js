// Counts what each candidate allocates. The young generation of this process is so large that no garbage is collected
// during a measurement.
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
  // Trap: another thread frees buffers some time later, which would reduce the count.
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
    throw new Error(`Garbage was collected while ${name} was measured`)
  const bytesPerAudioByte = allocatedBytes / reads.audio.length
  // Every candidate allocates the audio itself.
  if (bytesPerAudioByte < minBytesPerAudioByte) {
    throw new Error(`${name} allocates less than its audio, so the count is wrong`)
  }
  return bytesPerAudioByte
}

/** `external` includes the bytes of buffers. */
function heldBytes() {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
