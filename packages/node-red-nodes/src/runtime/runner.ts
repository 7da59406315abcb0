import { type Part, Sequences } from './sequences.ts'

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

const maxQueued = 1000
/** Any number of parts of sequences that have begun wait within this limit, so that none loses its middle. */
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
export class Runner {
  readonly #mode: BusyMode
  readonly #waiting: Job[] = []
  readonly #running = new Set<RunningJob>()
  readonly #sequences = new Sequences()
  #isClosed = false

  constructor(mode: BusyMode) {
    this.#mode = mode
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get running(): number {
    return this.#running.size
  }

  /** @returns false if too many jobs are waiting; the job is then dropped, and the rest of its sequence. */
  submit(job: Job): boolean {
    const { part } = job
    if (this.#isClosed || (part && this.#sequences.passesOver(part))) {
      job.drop()
      return true
    }
    if (this.#mode === 'replace' && !(part && this.#sequences.isOpen(part))) this.stop()
    if (!this.#hasRoomFor(job)) {
      if (part) this.#sequences.end(part)
      return false
    }
    if (part) this.#sequences.take(part)
    this.#waiting.push(job)
    this.#startNext()
    return true
  }

  /** Aborts running jobs, and drops waiting ones and the rest of their sequences. */
  stop(): void {
    this.#sequences.endAll()
    for (const job of this.#waiting.splice(0)) job.drop()
    for (const { controller } of this.#running) controller.abort()
  }

  /** Stops, drops all later jobs, and resolves when no job is running. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.stop()
    await Promise.all([...this.#running].map(({ ended }) => ended))
  }

  #hasRoomFor(job: Job): boolean {
    if (this.#waiting.length < maxQueued) return true
    if (!job.part || !this.#sequences.isOpen(job.part)) return false
    const bytes = this.#waiting.reduce((sum, other) => sum + partBytes(other), partBytes(job))
    return bytes <= maxPartBytes
  }

  #startNext(): void {
    const slots = this.#mode === 'parallel' ? maxParallel : 1
    while (this.#running.size < slots) {
      const job = this.#waiting.find((job) => !this.#isAtWork(job))
      if (!job) return
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      const controller = new AbortController()
      const entry: RunningJob = { part: job.part, controller, ended: Promise.resolve() }
      this.#running.add(entry)
      entry.ended = job.run(controller.signal).finally(() => {
        this.#running.delete(entry)
        this.#startNext()
      })
    }
  }

  #isAtWork({ part }: Job): boolean {
    if (!part) return false
    return [...this.#running].some((job) => job.part?.sequenceId === part.sequenceId)
  }
}

function partBytes({ part, bytes = 0 }: Job): number {
  return part ? Math.max(bytes, minPartBytes) : 0
}
