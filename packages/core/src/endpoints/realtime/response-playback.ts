/** A piece of speech that a player has received. */
export interface ReceivedSpeech {
  itemId: string
  contentIndex: number
  durationMs: number
}

/** Speech of which the user has not heard the end. */
export interface UnheardSpeech {
  itemId: string
  contentIndex: number
  /** How much of the item the player had received. */
  receivedMs: number
  /** How much of the item the user has heard. */
  heardMs: number
}

/** What the user has heard, by the clock: a player plays all speech in order, as soon as it receives it. */
export class ResponsePlayback {
  readonly #now: () => number
  /** The items that the player has not played completely, in order. */
  #items: ReceivedSpeech[] = []
  #endsAt = 0
  #pausedAt: number | undefined

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** How long the player will need for the speech that it has received. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - this.#clock)
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined
  }

  /** The player receives speech. */
  add(speech: ReceivedSpeech): void {
    if (this.remainingMs === 0) {
      this.#items = this.#items.filter(({ itemId }) => itemId === speech.itemId)
    }
    this.#endsAt = Math.max(this.#endsAt, this.#clock) + speech.durationMs
    const last = this.#items.at(-1)
    const isSame = last?.itemId === speech.itemId && last.contentIndex === speech.contentIndex
    if (isSame) last.durationMs += speech.durationMs
    else this.#items.push({ ...speech })
  }

  /** The player has played this much of an item, and corrects the clock. */
  report(itemId: string, playedMs: number): void {
    const index = this.#items.findIndex((item) => item.itemId === itemId)
    if (index < 0) return
    const laterMs = this.#items.slice(index).reduce((sum, { durationMs }) => sum + durationMs, 0)
    this.#endsAt = this.#clock + Math.max(0, laterMs - Math.max(0, playedMs))
  }

  /** The player stops, and gets no speech until `resume`. */
  pause(): void {
    this.#pausedAt ??= this.#now()
  }

  /** The player gets the speech that it has not played. */
  resume(): void {
    this.#endsAt += this.#now() - this.#clock
    this.#pausedAt = undefined
  }

  /** The player stops and drops its speech. @returns what it did not play to the end. */
  stop(): UnheardSpeech[] {
    const stopped = this.unheard()
    this.#items = []
    this.#endsAt = 0
    this.#pausedAt = undefined
    return stopped
  }

  /** The speech that the player has not played to the end. */
  unheard(): UnheardSpeech[] {
    let unheardMs = this.remainingMs
    const found: UnheardSpeech[] = []
    for (const { itemId, contentIndex, durationMs } of this.#items.toReversed()) {
      if (unheardMs <= 0) break
      const heardMs = Math.floor(Math.max(0, durationMs - unheardMs))
      found.unshift({ itemId, contentIndex, receivedMs: Math.floor(durationMs), heardMs })
      unheardMs -= durationMs
    }
    return found
  }

  /** Forgets the items; the player still plays them. */
  forgetItems(): void {
    this.#items = []
  }

  get #clock(): number {
    return this.#pausedAt ?? this.#now()
  }
}
