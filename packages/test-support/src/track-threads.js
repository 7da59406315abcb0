import { createRequire, syncBuiltinESMExports } from 'node:module'

/** Tracks the threads that this process starts from now on. @returns the running ones. */
export function noteThreads() {
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
