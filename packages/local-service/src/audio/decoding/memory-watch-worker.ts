import { workerData } from 'node:worker_threads'

// Decoded audio is outside the heap, in WebAssembly and typed arrays, where Node.js limits nothing. An hour of audio takes a
// fifth of this.
const maxGrowthBytes = 192 * 1024 * 1024
const watchEveryMs = 20

const { startBytes } = workerData as { startBytes: number }
const parent = process.ppid

setInterval(() => {
  const hasGrown = process.memoryUsage.rss() - startBytes > maxGrowthBytes
  // The thread that decodes does not notice the end of the parent if a library hangs.
  if (hasGrown || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, watchEveryMs)
