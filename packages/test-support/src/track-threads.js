import { createRequire, syncBuiltinESMExports } from 'node:module'

/** Notes the threads of this process from now on. @returns those that run. */
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
