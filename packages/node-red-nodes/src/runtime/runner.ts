import { createSequences, type Part } from './sequences.ts'

/** What a node does with a message that arrives while it is busy. */
export type BusyMode = 'wait' | 'parallel' | 'replace'

export interface Job {
  /** Its sequence, if any: the jobs of a sequence run in order, and none replaces another. */
  part?: Part
  /** How much memory it takes while it waits. */
  bytes?: number
  /** Does the work and reports its end itself; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Called instead if the job will not run. */
  drop(): void
}

export interface Runner {
  /** @returns false if too many jobs are waiting; the job is then dropped, and the rest of its sequence. */
  submit(job: Job): boolean
  /** Aborts running jobs, and drops waiting ones and the rest of their sequences. */
  stop(): void
  /** Stops, drops all later jobs, and resolves when no job is running. */
  close(): Promise<void>
  readonly waiting: number
  readonly running: number
}

const maxQueued = 1000
/** Of sequences that have begun, any number of parts wait, so that none loses its middle. */
const maxPartBytes = 64 * 1024 * 1024
/** A message takes more than its payload. */
const minPartBytes = 4096
// Every running job holds a connection and a share of the service; the rest wait.
const maxParallel = 16

interface RunningJob {
  part: Part | undefined
  controller: AbortController
  ended: Promise<void>
}

/** Runs the jobs of one node: one after the other, in parallel, or only the newest. */
export function createRunner(mode: BusyMode): Runner {
  const slots = mode === 'parallel' ? maxParallel : 1
  const waiting: Job[] = []
  const running = new Set<RunningJob>()
  const sequences = createSequences()
  let isClosed = false

  const isAtWork = ({ part }: Job) =>
    part !== undefined && [...running].some((job) => job.part?.sequenceId === part.sequenceId)

  const hasRoomFor = (job: Job) => {
    if (waiting.length < maxQueued) return true
    if (!job.part || !sequences.isOpen(job.part)) return false
    const bytes = waiting.reduce((sum, other) => sum + partBytes(other), partBytes(job))
    return bytes <= maxPartBytes
  }

  const startNext = () => {
    while (running.size < slots) {
      const job = waiting.find((job) => !isAtWork(job))
      if (!job) return
      waiting.splice(waiting.indexOf(job), 1)
      const controller = new AbortController()
      const entry: RunningJob = { part: job.part, controller, ended: Promise.resolve() }
      running.add(entry)
      entry.ended = job.run(controller.signal).finally(() => {
        running.delete(entry)
        startNext()
      })
    }
  }

  const stop = () => {
    sequences.endAll()
    for (const job of waiting.splice(0)) job.drop()
    for (const { controller } of running) controller.abort()
  }

  return {
    submit(job) {
      const { part } = job
      if (isClosed || (part && sequences.passesOver(part))) {
        job.drop()
        return true
      }
      if (mode === 'replace' && !(part && sequences.isOpen(part))) stop()
      if (!hasRoomFor(job)) {
        if (part) sequences.end(part)
        return false
      }
      if (part) sequences.take(part)
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
    get running() {
      return running.size
    },
  }
}

function partBytes({ part, bytes = 0 }: Job): number {
  return part ? Math.max(bytes, minPartBytes) : 0
}
