interface Work {
  act(): void
  end(): void
}

/** Work that waits until the texts of before a restart are there again: without them, it would find nothing to pause or to stop. */
export class EarlyWork {
  #waiting: Work[] | undefined = []

  /** Calls `act`, and then `end`: at once, or with `release`. */
  do(act: () => void, end: () => void): void {
    const work = { act, end }
    if (this.#waiting) this.#waiting.push(work)
    else run(work)
  }

  /** Does what waits, in its order. Nothing waits any longer. */
  release(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const work of waiting) run(work)
  }

  /** Ends what waits, without doing it. */
  close(): void {
    for (const { end } of this.#waiting ?? []) end()
    this.#waiting = undefined
  }
}

function run({ act, end }: Work): void {
  try {
    act()
  } finally {
    end()
  }
}
