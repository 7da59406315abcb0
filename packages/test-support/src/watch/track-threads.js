import { createRequire, syncBuiltinESMExports } from 'node:module'

/** Tracks the threads that this process starts from now on. @returns the set of running threads, which stays up to date. */
export function trackThreads() {
  const threads = createRequire(import.meta.url)('node:worker_threads')
  const started = new Set()
  threads.Worker = class extends threads.Worker {
    constructor(...options) {
      super(...options)
      started.add(this)
      this.once('exit', () => started.delete(this))
    }
  }
  syncBuiltinESMExports()
  return started
}
