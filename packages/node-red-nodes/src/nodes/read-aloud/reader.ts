import { toFailure } from '../../runtime/failure.ts'
import type { ReadAloudText, ReadingOutcome, ReadingProblem } from './reading.ts'
import type { SaidPassage } from './say-passage.ts'

export interface ReaderOptions {
  /** Says the sentences of a passage, from the one at which a text is. @throws the reason of the signal after an abort, or why it could not be said. */
  say(reading: ReadAloudText, signal: AbortSignal): Promise<SaidPassage>
  /** A text has another position, another place in the order, or is paused or not. */
  onMove(reading: ReadAloudText): void
  /** A text is over. */
  onEnd(reading: ReadAloudText, outcome: ReadingOutcome): void
  /** A text that has begun could not be read on, and is paused. */
  onFailure(reading: ReadAloudText, error: unknown): void
  /** Something has changed that the status or a page shows. */
  onChange(): void
}

/** Reads the texts of one node, one after the other. */
export class Reader {
  readonly #options: ReaderOptions
  /** The first one is read. */
  #readings: ReadAloudText[] = []
  #saying: AbortController | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  get current(): ReadAloudText | undefined {
    return this.#readings[0]
  }

  get readings(): readonly ReadAloudText[] {
    return this.#readings
  }

  /** Whether a text is read now, or waits for the speaker. */
  get isReading(): boolean {
    return this.current !== undefined && !this.current.isPaused
  }

  /** A new text is read after those that wait, but before one that is paused: nobody would hear it otherwise. */
  add(reading: ReadAloudText): void {
    this.#insert(reading)
    this.#noteOrder()
    this.#goOn()
  }

  /**
   * Takes the texts that were saved. They come before the texts of messages that arrived earlier, as if those were new; some of
   * those may be among the saved ones, too.
   */
  restore(readings: readonly ReadAloudText[]): void {
    const { current } = this
    const added = this.#readings
    const known = new Set(added.map(({ id }) => id))
    this.#readings = readings.filter(({ id }) => !known.has(id))
    for (const reading of added) this.#insert(reading)
    if (this.current !== current) this.#saying?.abort()
    this.#noteOrder()
    this.#goOn()
  }

  /** @returns whether there is a text, which is silent then. */
  pause(): boolean {
    return this.#change((reading) => {
      reading.isPaused = true
      this.#options.onMove(reading)
    })
  }

  /** @returns whether there is a text, which goes on with the sentence that was interrupted. */
  resume(): boolean {
    const { current } = this
    if (!current?.isPaused) return current !== undefined
    return this.#change((reading) => {
      reading.isPaused = false
      delete reading.problem
      this.#options.onMove(reading)
    })
  }

  /**
   * Goes on this number of sentences later; 0 says the sentence again. Behind the last sentence, the text is over. A text that is paused stays paused.
   * @returns whether there is a text.
   */
  skip(count: number): boolean {
    return this.#change((reading) => {
      reading.index = Math.max(reading.index + count, 0)
      if (reading.index >= reading.sentences.length) this.#finish(reading)
      else this.#options.onMove(reading)
    })
  }

  /** A sentence is heard. */
  noteSentence(reading: ReadAloudText, index: number): void {
    if (reading !== this.current || reading.isPaused) return
    reading.hasBegun = true
    reading.index = index
    this.#options.onMove(reading)
    this.#options.onChange()
  }

  /** Ends texts. @returns how many there were. */
  stop(isMeant: (reading: ReadAloudText) => boolean = () => true): number {
    const stopped = this.#readings.filter(isMeant)
    // The end of a text that waits does not interrupt the one that is read.
    if (stopped[0] === this.current) this.#saying?.abort()
    for (const reading of stopped) this.#end(reading, { status: 'not read', reason: 'stopped' })
    if (stopped.length > 0) this.#goOn()
    return stopped.length
  }

  /** Is silent, and resolves when nothing plays. The texts stay as they are. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#saying?.abort()
    await this.#running
  }

  /** Changes the current text; what is said now ends. */
  #change(change: (reading: ReadAloudText) => void): boolean {
    const { current } = this
    this.#saying?.abort()
    if (current) change(current)
    this.#goOn()
    return current !== undefined
  }

  #insert(reading: ReadAloudText): void {
    const paused = this.#readings.findIndex(({ isPaused }) => isPaused)
    this.#readings.splice(paused < 0 ? this.#readings.length : paused, 0, reading)
  }

  #noteOrder(): void {
    for (const [order, reading] of this.#readings.entries()) {
      if (reading.order === order) continue
      reading.order = order
      this.#options.onMove(reading)
    }
  }

  #goOn(): void {
    if (this.#isClosed) return
    this.#options.onChange()
    if (this.isReading) this.#running ??= this.#read()
  }

  async #read(): Promise<void> {
    while (this.isReading && !this.#isClosed) {
      await this.#sayNext(this.current!)
      if (!this.#isClosed) this.#options.onChange()
    }
    this.#running = undefined
  }

  async #sayNext(reading: ReadAloudText): Promise<void> {
    const saying = new AbortController()
    this.#saying = saying
    const { signal } = saying
    try {
      const said = await this.#options.say(reading, signal)
      if (!signal.aborted) this.#take(reading, said)
    } catch (error) {
      if (!signal.aborted) this.#fail(reading, error)
    }
  }

  #take(reading: ReadAloudText, { report: { status, reason, speakers }, to }: SaidPassage): void {
    if (status === 'said') {
      reading.hasBegun = true
      reading.speakers = speakers
      reading.index = to
      if (reading.index >= reading.sentences.length) this.#finish(reading)
      else this.#options.onMove(reading)
      return
    }
    // Something more important has interrupted it: the sentence is said again.
    if (reason === 'interrupted') return
    this.#pauseFor(reading, { reason })
  }

  #fail(reading: ReadAloudText, error: unknown): void {
    if (!reading.hasBegun) {
      const failure = toFailure(error)
      this.#end(reading, { status: 'not read', reason: 'failed', failure })
      return
    }
    this.#pauseFor(reading, { error })
    this.#options.onFailure(reading, error)
  }

  #pauseFor(reading: ReadAloudText, problem: ReadingProblem): void {
    reading.isPaused = true
    reading.problem = problem
    this.#options.onMove(reading)
  }

  #finish(reading: ReadAloudText): void {
    reading.index = reading.sentences.length
    this.#end(reading, { status: 'read' })
  }

  #end(reading: ReadAloudText, outcome: ReadingOutcome): void {
    this.#readings = this.#readings.filter((other) => other !== reading)
    this.#options.onEnd(reading, outcome)
  }
}
