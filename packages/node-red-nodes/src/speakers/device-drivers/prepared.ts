/** Less than any device keeps a connection without traffic. All speakers of an announcement are ready after 20 s at the latest. */
const keptMs = 30_000

/**
 * What `prepare` of a driver has opened, kept for the sound that follows: one announcement connects once. It is closed when no
 * sound follows in time.
 */
export class Prepared<Opened> {
  readonly #close: (opened: Opened) => void
  #kept: { opened: Opened; timer: NodeJS.Timeout } | undefined

  constructor(close: (opened: Opened) => void) {
    this.#close = close
  }

  /** Keeps it instead of what was kept before. */
  keep(opened: Opened): void {
    this.close()
    this.#kept = { opened, timer: setTimeout(() => this.close(), keptMs).unref() }
  }

  /** @returns what is kept, which the caller must close. */
  take(): Opened | undefined {
    const kept = this.#kept
    clearTimeout(kept?.timer)
    this.#kept = undefined
    return kept?.opened
  }

  close(): void {
    const opened = this.take()
    if (opened !== undefined) this.#close(opened)
  }
}
