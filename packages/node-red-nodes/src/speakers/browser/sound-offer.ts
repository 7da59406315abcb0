import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { unlessAborted } from '../../runtime/wait.ts'
import type { Sound } from '../../sounds/sound.ts'
import { sendBody } from '../../sounds/to-play/sound-route.ts'
import type { BrowserEvent } from './commands.ts'

const maxLocked = 200

export interface OfferOptions {
  maxPlayers: number
  /** Absent: a probe. */
  sound?: Sound
  onFirstSound?(): void
}

/** A probe, or a sound that browsers may play: what each browser has reported about it. */
export class Offer {
  readonly id = randomBytes(16).toString('base64url')
  readonly #options: OfferOptions
  readonly #players = new Map<string, 'playing' | 'ended' | 'gone'>()
  /** The browsers that do not play, since nobody has clicked in them. */
  readonly #locked = new Set<string>()
  /** The browsers that have requested the audio. */
  readonly #fetched = new Set<string>()
  readonly #over = new AbortController()
  /** The browsers that may respond; absent if nobody knows them. */
  #asked: ReadonlySet<string> | undefined
  #isResponseOver = false
  #isHeard = false
  #limit: NodeJS.Timeout | undefined
  #changed = () => {}
  #fail = (_error: unknown) => {}

  constructor(options: OfferOptions) {
    this.#options = options
  }

  /** Whether the time to respond is over. */
  get isResponseOver(): boolean {
    return this.#isResponseOver
  }

  /** Whether a browser is there, but nobody has clicked in it. */
  get isLocked(): boolean {
    return this.#locked.size > 0
  }

  /** Whether a browser has responded, also one that cannot play. */
  get hasResponse(): boolean {
    return this.#players.size + this.#locked.size > 0
  }

  /** What the browsers do, or did last; `undefined` as long as one may still respond. */
  get state(): 'playing' | 'ended' | 'gone' | 'no player' | undefined {
    const states = [...this.#players.values()]
    const current = (['playing', 'ended', 'gone'] as const).find((state) => states.includes(state))
    return current ?? (this.#isResponseOver ? 'no player' : undefined)
  }

  /**
   * Waits for a result.
   * @param asked The browsers that received the command. Only their reports count.
   * @param resultOf looks at the offer now, and after each change.
   */
  async result<Result>(
    asked: ReadonlySet<string> | undefined,
    resultOf: () => Result | undefined,
    signal: AbortSignal,
  ): Promise<Result> {
    this.#asked = asked
    const result = new Promise<Result>((resolve, reject) => {
      this.#fail = reject
      this.#changed = () => {
        try {
          const current = resultOf()
          if (current !== undefined) resolve(current)
        } catch (error) {
          reject(error)
        }
      }
    })
    this.#responded()
    return await unlessAborted(result, signal)
  }

  endResponse(): void {
    this.#isResponseOver = true
    this.#changed()
  }

  fail(error: unknown): void {
    this.#fail(error)
  }

  /** Browsers that were switched off report nothing. */
  giveUpAfter(durationMs: number): void {
    const giveUp = () => {
      for (const player of this.#players.keys()) this.leave(player)
    }
    if (!this.#over.signal.aborted) this.#limit = setTimeout(giveUp, durationMs)
  }

  close(): void {
    clearTimeout(this.#limit)
    this.#over.abort()
  }

  isFor(player: string): boolean {
    return this.#asked?.has(player) !== false
  }

  /** Handles a report. @returns whether the browser is to play the sound. */
  take(player: string, event: BrowserEvent): boolean {
    if (event === 'ready' || event === 'hidden') return this.#claim(player)
    if (event === 'locked') this.#lock(player)
    else if (event === 'failed') this.leave(player)
    else if (event === 'ended') this.#finish(player, 'ended')
    else if (this.#players.get(player) === 'playing' && !this.#isHeard) {
      this.#isHeard = true
      this.#options.onFirstSound?.()
    }
    return false
  }

  /** The browser does not play it any more. */
  leave(player: string): void {
    this.#finish(player, 'gone')
  }

  /** Sends the sound to a browser that plays it, while it grows. @returns false for any other browser. */
  sendAudio(player: string, response: ServerResponse): boolean {
    const { sound } = this.#options
    if (!sound || this.#players.get(player) !== 'playing' || this.#fetched.has(player)) return false
    this.#fetched.add(player)
    sendSound(sound, response, this.#over.signal).catch(() => {
      response.destroy()
      this.leave(player)
    })
    return true
  }

  #claim(player: string): boolean {
    if (this.#isResponseOver || this.#over.signal.aborted || this.#players.has(player)) return false
    if (this.#players.size >= this.#options.maxPlayers) return false
    this.#players.set(player, 'playing')
    this.#locked.delete(player)
    this.#responded()
    return this.#options.sound !== undefined
  }

  #lock(player: string): void {
    if (this.#players.has(player) || this.#locked.size >= maxLocked) return
    this.#locked.add(player)
    this.#responded()
  }

  #finish(player: string, state: 'ended' | 'gone'): void {
    if (this.#players.get(player) !== 'playing') return
    this.#players.set(player, state)
    this.#changed()
  }

  /** Ends the time to respond when all browsers have responded. */
  #responded(): void {
    const responses = this.#players.size + this.#locked.size
    if (this.#asked && responses >= this.#asked.size) this.#isResponseOver = true
    this.#changed()
  }
}

/** A browser that reads nothing for this long is gone, or sleeps. The others wait for it. */
const maxPauseMs = 60_000

/**
 * Sends a sound to a browser while it grows, as fast as the browser reads.
 * @throws if the sound fails, the signal aborts, or the browser closes the connection or pauses before the end.
 */
async function sendSound(
  sound: Sound,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  const ended = AbortSignal.any([signal, closed.signal])
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'no-store',
    // nginx would collect the audio otherwise.
    'X-Accel-Buffering': 'no',
  })
  response.flushHeaders()
  await sendBody(response, sound, undefined, { signal: ended, maxPauseMs })
  response.end()
  await once(response, 'finish', { signal: ended })
}
