/** What a node does when a message comes while it is busy. */
export type BusyMode = 'wait' | 'beside' | 'replace'

export interface Job {
  /** The sequence it is part of, if any: the jobs of a sequence are done in order, and none replaces another. */
  sequenceId?: string
  /** Does the work and reports its end itself; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Called instead when the job will not be run. */
  drop(): void
}

export interface Runner {
  /** @returns false when too many jobs wait; the job is then forgotten. */
  submit(job: Job): boolean
  /** Aborts what runs and drops what waits, and what is still to come of their sequences as well. */
  stop(): void
  /** Stops, drops all that comes from now on, and resolves when nothing runs any more. */
  close(): Promise<void>
  readonly waiting: number
}

const mostWaiting = 1000
// Every running job holds a connection and a share of the service; the rest wait.
const mostBeside = 16
const mostEndedSequences = 100

interface RunningJob {
  sequenceId: string | undefined
  controller: AbortController
  ended: Promise<void>
}

/** Runs the jobs of one node: one after the other, beside each other, or the newest alone. */
export function createRunner(mode: BusyMode): Runner {
  const slots = mode === 'beside' ? mostBeside : 1
  const waiting: Job[] = []
  const running = new Set<RunningJob>()
  const endedSequences = new Set<string>()
  let isClosed = false

  const isAtWork = (sequenceId: string | undefined) =>
    sequenceId !== undefined && [...running].some((job) => job.sequenceId === sequenceId)

  const startNext = () => {
    while (running.size < slots) {
      const next = waiting.findIndex(({ sequenceId }) => !isAtWork(sequenceId))
      const [job] = next < 0 ? [] : waiting.splice(next, 1)
      if (!job) return
      const controller = new AbortController()
      const { sequenceId } = job
      const entry: RunningJob = { sequenceId, controller, ended: Promise.resolve() }
      running.add(entry)
      entry.ended = job.run(controller.signal).finally(() => {
        running.delete(entry)
        startNext()
      })
    }
  }

  const endSequence = (sequenceId: string | undefined) => {
    if (sequenceId === undefined) return
    endedSequences.add(sequenceId)
    const [oldest] = endedSequences
    if (endedSequences.size > mostEndedSequences && oldest) endedSequences.delete(oldest)
  }

  const stop = () => {
    for (const job of waiting.splice(0)) {
      endSequence(job.sequenceId)
      job.drop()
    }
    for (const { sequenceId, controller } of running) {
      endSequence(sequenceId)
      controller.abort()
    }
  }

  const isOfSameSequence = ({ sequenceId }: Job) =>
    isAtWork(sequenceId) ||
    waiting.some((job) => sequenceId !== undefined && job.sequenceId === sequenceId)

  return {
    submit(job) {
      const hasEnded = job.sequenceId !== undefined && endedSequences.has(job.sequenceId)
      if (isClosed || hasEnded) {
        job.drop()
        return true
      }
      if (mode === 'replace' && !isOfSameSequence(job)) stop()
      if (waiting.length >= mostWaiting) return false
      waiting.push(job)
      startNext()
      return true
    },
    stop,
    async close() {
      isClosed = true
      stop()
      await Promise.all([...running].map(({ ended }) => ended))
    },
    get waiting() {
      return waiting.length
    },
  }
}
