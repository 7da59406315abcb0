/** What a node does when a message comes while it is busy. */
export type BusyMode = 'wait' | 'beside' | 'replace'

export interface Job {
  /** Does the work and reports its end itself; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Called instead when the job will not be run. */
  drop(): void
}

export interface Runner {
  /** @returns false when too many jobs wait; the job is then forgotten. */
  submit(job: Job): boolean
  /** Aborts what runs and drops what waits. */
  stop(): void
  /** Stops and resolves when nothing runs any more. */
  close(): Promise<void>
  readonly waiting: number
}

const mostWaiting = 1000
// Every running job holds a connection and a share of the service; the rest wait.
const mostBeside = 16

/** Runs the jobs of one node: one after the other, beside each other, or the newest alone. */
export function createRunner(mode: BusyMode): Runner {
  const slots = mode === 'beside' ? mostBeside : 1
  const waiting: Job[] = []
  const running = new Map<AbortController, Promise<void>>()

  const startNext = () => {
    while (running.size < slots) {
      const job = waiting.shift()
      if (!job) return
      const controller = new AbortController()
      const ended = job.run(controller.signal).finally(() => {
        running.delete(controller)
        startNext()
      })
      running.set(controller, ended)
    }
  }

  const stop = () => {
    for (const job of waiting.splice(0)) job.drop()
    for (const controller of running.keys()) controller.abort()
  }

  return {
    submit(job) {
      if (mode === 'replace') stop()
      if (waiting.length >= mostWaiting) return false
      waiting.push(job)
      startNext()
      return true
    },
    stop,
    async close() {
      stop()
      await Promise.all(running.values())
    },
    get waiting() {
      return waiting.length
    },
  }
}
