import type { Clock } from '../clock.ts'
import type { SessionPlayer } from '../session-connection.ts'

export interface PlayoutOptions {
  clock: Clock
  /** Ends the playout. */
  signal: AbortSignal
  /** Sends 20 ms. @param positionMs of the frame, since the start of the playout. */
  send(frame: Uint8Array, positionMs: number): void
  /** Called when everything was sent. */
  onEmpty(): void
}

const frameMs = 20
const frameBytes = frameMs * 24 * 2
const silence = new Uint8Array(frameBytes)
/** Ends each sound. Without it, the receiver takes the end for a loss, and repeats the last sound. */
const silentFrames = 5
/** After a longer delay of the process, the frames do not catch up: the receiver would drop them. */
const maxLateMs = 200

/**
 * Sends sound as fast as it is heard. PCM is 16-bit, mono, with 24 kHz. It has no limit of its own: a response sends at most
 * half a second ahead.
 */
export class Playout implements SessionPlayer {
  readonly #options: PlayoutOptions
  readonly #startMs: number
  #waiting: Uint8Array = Buffer.alloc(0)
  #isComplete = false
  #isPaused = false
  #isRunning = false
  #nextPositionMs = 0

  constructor(options: PlayoutOptions) {
    this.#options = options
    this.#startMs = options.clock.now()
  }

  /** Whether everything was sent. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Adds sound of any length. */
  push(pcm: Uint8Array): void {
    this.#isComplete = false
    this.#waiting = Buffer.concat([this.#waiting, pcm])
    this.#start()
  }

  /** The sound so far is complete, so its last part may be shorter than a frame. */
  end(): void {
    this.#isComplete = true
    this.#start()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#start()
  }

  clear(): void {
    this.#waiting = Buffer.alloc(0)
  }

  #start(): void {
    if (!this.isEmpty) void this.#run()
  }

  /** Whether there is a frame to send now. */
  get #hasFrame(): boolean {
    const { length } = this.#waiting
    return !this.#isPaused && (length >= frameBytes || (this.#isComplete && length > 0))
  }

  /** Runs until there has been nothing to send for a moment. */
  async #run(): Promise<void> {
    const { clock, signal } = this.#options
    if (this.#isRunning) return
    this.#isRunning = true
    let dueMs = clock.now()
    // Sound can arrive in the last wait.
    for (let silent = 0; (silent < silentFrames || this.#hasFrame) && !signal.aborted; ) {
      if (clock.now() > dueMs + maxLateMs) dueMs = clock.now()
      silent = this.#sendFrame(dueMs).isSound ? 0 : silent + 1
      dueMs += frameMs
      // An abort ends the loop.
      await clock.wait(Math.max(0, dueMs - clock.now()), signal).catch(() => {})
    }
    this.#isRunning = false
  }

  #sendFrame(dueMs: number): { isSound: boolean } {
    const { send, onEmpty } = this.#options
    const frame = this.#takeFrame()
    const positionMs = Math.round((dueMs - this.#startMs) / frameMs) * frameMs
    this.#nextPositionMs = Math.max(this.#nextPositionMs, positionMs)
    send(frame ?? silence, this.#nextPositionMs)
    this.#nextPositionMs += frameMs
    if (frame && this.isEmpty) onEmpty()
    return { isSound: frame !== undefined }
  }

  #takeFrame(): Uint8Array | undefined {
    if (!this.#hasFrame) return undefined
    const waiting = this.#waiting
    const frame = new Uint8Array(frameBytes)
    frame.set(waiting.subarray(0, frameBytes))
    this.#waiting = waiting.subarray(frameBytes)
    return frame
  }
}
