import type { JobTurn, RunJob } from './job-store.ts'

/** After a run that was rejected: the store may be back then. */
const retryDelayMs = 1_000

/** The turns of the jobs of one process. */
export class JobTurns {
  readonly #waiting = new Map<string, JobTurn>()
  /** Those whose run was rejected, until they wait again. */
  readonly #delayed = new Map<string, NodeJS.Timeout>()
  readonly #closing = new AbortController()
  #run: ((turn: JobTurn, signal: AbortSignal) => ReturnType<RunJob>) | undefined
  #running: { key: string; ended: Promise<void> } | undefined

  add(turn: JobTurn): void {
    const key = `${turn.id}-${turn.round}`
    if (this.#running?.key === key || this.#waiting.has(key) || this.#delayed.has(key)) return
    this.#waiting.set(key, turn)
    this.#startNext()
  }

  work(run: (turn: JobTurn, signal: AbortSignal) => ReturnType<RunJob>): void {
    this.#run = run
    this.#startNext()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running?.ended
    for (const timer of this.#delayed.values()) clearTimeout(timer)
  }

  #startNext(): void {
    const { signal } = this.#closing
    if (!this.#run || this.#running || signal.aborted) return
    let next: [key: string, turn: JobTurn] | undefined
    for (const entry of this.#waiting) {
      if (!next || entry[1].priority < next[1].priority) next = entry
    }
    if (!next) return
    const [key, turn] = next
    this.#waiting.delete(key)
    const ended = this.#run(turn, signal)
      .catch(() => this.#delay(key, turn))
      .finally(() => {
        this.#running = undefined
        this.#startNext()
      })
    this.#running = { key, ended }
  }

  #delay(key: string, turn: JobTurn): void {
    const addAgain = () => {
      this.#delayed.delete(key)
      this.add(turn)
    }
    this.#delayed.set(key, setTimeout(addAgain, retryDelayMs).unref())
  }
}
