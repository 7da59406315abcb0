import type { JobTurn, RunJob } from './job-store.ts'

/** The turns of the jobs of one process. */
export class JobTurns {
  readonly #waiting = new Map<string, JobTurn>()
  readonly #closing = new AbortController()
  #run: ((turn: JobTurn, signal: AbortSignal) => ReturnType<RunJob>) | undefined
  #running: { key: string; ended: Promise<void> } | undefined

  add(turn: JobTurn): void {
    const key = `${turn.id}-${turn.round}`
    if (this.#running?.key === key || this.#waiting.has(key)) return
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
    const ended = this.#run(turn, signal).finally(() => {
      this.#running = undefined
      this.#startNext()
    })
    this.#running = { key, ended }
  }
}
