/**
 * How much an engine has worked for each caller that wants something of it now. A caller that comes back begins with as much
 * as the one for which the engine has worked least, so that nobody saves up a share.
 */
export class FairShare {
  readonly #callers = new Map<string, { servedMs: number; tasks: number }>()

  /** Counts a task that waits or is worked on, until the returned function is called. */
  enter(caller: string): () => void {
    const least = Math.min(...Array.from(this.#callers.values(), ({ servedMs }) => servedMs))
    const entry = this.#callers.get(caller) ?? {
      servedMs: this.#callers.size > 0 ? least : 0,
      tasks: 0,
    }
    this.#callers.set(caller, entry)
    entry.tasks += 1
    return () => {
      entry.tasks -= 1
      if (entry.tasks === 0) this.#callers.delete(caller)
    }
  }

  /** Adds time that the engine has worked for a caller. */
  charge(caller: string, tookMs: number): void {
    const entry = this.#callers.get(caller)
    if (entry) entry.servedMs += tookMs
  }

  servedMs(caller: string): number {
    return this.#callers.get(caller)?.servedMs ?? 0
  }
}
