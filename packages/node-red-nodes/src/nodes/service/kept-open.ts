const waitMs = 10_000

export interface KeptOpenOptions {
  /** Opens the connection, and does nothing while it is open. */
  open(): Promise<void>
  /** Called when it cannot open, but not again for the same reason until it has opened. */
  onProblem(reason: string): void
}

/**
 * Opens a connection again 10 seconds after each end, until it is closed: nothing else would start the service on this
 * device for Home Assistant, which sends no message.
 */
export class KeptOpen {
  readonly #options: KeptOpenOptions
  #wait: NodeJS.Timeout | undefined
  #reported: string | undefined
  #isClosed = false

  constructor(options: KeptOpenOptions) {
    this.#options = options
  }

  /** Opens it now. */
  async open(): Promise<void> {
    try {
      await this.#options.open()
      this.#reported = undefined
    } catch (error) {
      const { message } = error as Error
      if (message === this.#reported || this.#isClosed) return
      this.#reported = message
      this.#options.onProblem(message)
    }
  }

  /** To call when the connection has ended or could not open. */
  ended(): void {
    clearTimeout(this.#wait)
    if (!this.#isClosed) this.#wait = setTimeout(() => void this.open(), waitMs).unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#wait)
  }
}
