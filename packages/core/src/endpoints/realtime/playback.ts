/** A piece of speech that a player has received. */
export interface Speech {
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
export interface Playback {
  /** How long the player will need for the speech that it has received. */
  readonly remainingMs: number
  /** The player receives speech. */
  add(speech: Speech): void
  /** The player has played this much of an item, and corrects the clock. */
  report(itemId: string, playedMs: number): void
  /** The player stops, and gets no speech until `resume`. */
  pause(): void
  /** The player gets the speech that it has not played. */
  resume(): void
  readonly isPaused: boolean
  /** The player stops and drops its speech. @returns what it did not play to the end. */
  stop(): UnheardSpeech[]
  /** The speech that the player has not played to the end. */
  unheard(): UnheardSpeech[]
  /** Forgets the items; the player still plays them. */
  forgetItems(): void
}

export function createPlayback(now = () => performance.now()): Playback {
  /** The items that the player has not played completely, in order. */
  let items: Speech[] = []
  let endsAt = 0
  let pausedAt: number | undefined

  const clock = () => pausedAt ?? now()
  const remainingMs = () => Math.max(0, endsAt - clock())
  const unheard = (): UnheardSpeech[] => {
    let unheardMs = remainingMs()
    const found: UnheardSpeech[] = []
    for (const { itemId, contentIndex, durationMs } of items.toReversed()) {
      if (unheardMs <= 0) break
      const heardMs = Math.floor(Math.max(0, durationMs - unheardMs))
      found.unshift({ itemId, contentIndex, receivedMs: Math.floor(durationMs), heardMs })
      unheardMs -= durationMs
    }
    return found
  }

  return {
    get remainingMs() {
      return remainingMs()
    },
    add(speech) {
      if (remainingMs() === 0) items = items.filter(({ itemId }) => itemId === speech.itemId)
      endsAt = Math.max(endsAt, clock()) + speech.durationMs
      const last = items.at(-1)
      const isSame = last?.itemId === speech.itemId && last.contentIndex === speech.contentIndex
      if (isSame) last.durationMs += speech.durationMs
      else items.push({ ...speech })
    },
    report(itemId, playedMs) {
      const index = items.findIndex((item) => item.itemId === itemId)
      if (index < 0) return
      const laterMs = sum(items.slice(index))
      endsAt = clock() + Math.max(0, laterMs - Math.max(0, playedMs))
    },
    unheard,
    pause() {
      pausedAt ??= now()
    },
    resume() {
      endsAt += now() - clock()
      pausedAt = undefined
    },
    get isPaused() {
      return pausedAt !== undefined
    },
    stop() {
      const stopped = unheard()
      items = []
      endsAt = 0
      pausedAt = undefined
      return stopped
    },
    forgetItems() {
      items = []
    },
  }
}

function sum(items: readonly Speech[]): number {
  return items.reduce((total, { durationMs }) => total + durationMs, 0)
}
