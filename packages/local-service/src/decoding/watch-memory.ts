// WebAssembly and typed arrays, and so all decoded audio, are outside the heap. Their memory cannot be measured per
// thread, so the growth of the process is watched. Ten samples of a voice, or an hour of audio, take a fifth of this.
const maxGrowthBytes = 512 * 1024 * 1024
const watchEveryMs = 50

/** Reports when this process has grown too much since the call. */
export function watchMemory(): { exceeded: AbortSignal; close(): void } {
  const controller = new AbortController()
  const before = process.memoryUsage.rss()
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - before > maxGrowthBytes) controller.abort()
  }, watchEveryMs)
  return { exceeded: controller.signal, close: () => clearInterval(timer) }
}
