/**
 * Lets a device play one sound after the other: the next one begins when the music of the device has resumed. Once it is closed, the
 * sound that plays ends, and no other one begins.
 */
export class OneAtATime {
  readonly #closing = new AbortController()
  #last: Promise<unknown> = Promise.resolve()

  /** Aborts when it is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /**
   * @param stopped stops this sound.
   * @param play plays it; its signal aborts also when the device is closed. Not called after an abort.
   * @throws what `play` throws; after an abort, the reason of the signal.
   */
  play<Result>(
    stopped: AbortSignal,
    play: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const signal = AbortSignal.any([stopped, this.signal])
    const played = this.#last.then(() => {
      signal.throwIfAborted()
      return play(signal)
    })
    this.#last = played.catch(() => {})
    return played
  }

  /** @param reason the error of the sound that plays. Resolves when it has ended. */
  async close(reason: Error): Promise<void> {
    this.#closing.abort(reason)
    await this.#last
  }
}
