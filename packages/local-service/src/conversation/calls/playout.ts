import type { Clock } from '../clock.ts'
import type { Player } from '../connection.ts'

/** Sends sound as fast as it is heard. PCM is 16-bit, mono, with 24 kHz. */
export interface Playout extends Player {
  /** Adds sound of any length. */
  push(pcm: Uint8Array): void
  /** The sound so far is complete, so its last part may be shorter than a frame. */
  end(): void
  /** Whether everything was sent. */
  readonly isEmpty: boolean
}

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

/** The playout has no limit of its own: a response sends at most half a second ahead. */
export function createPlayout({ clock, signal, send, onEmpty }: PlayoutOptions): Playout {
  const startMs = clock.now()
  let waiting: Uint8Array = Buffer.alloc(0)
  let isComplete = false
  let isPaused = false
  let isRunning = false
  let nextPositionMs = 0

  const takeFrame = (): Uint8Array | undefined => {
    const isReady = waiting.length >= frameBytes || (isComplete && waiting.length > 0)
    if (isPaused || !isReady) return undefined
    const frame = new Uint8Array(frameBytes)
    frame.set(waiting.subarray(0, frameBytes))
    waiting = waiting.subarray(frameBytes)
    return frame
  }
  const sendFrame = (dueMs: number): { isSound: boolean } => {
    const frame = takeFrame()
    const positionMs = Math.round((dueMs - startMs) / frameMs) * frameMs
    nextPositionMs = Math.max(nextPositionMs, positionMs)
    send(frame ?? silence, nextPositionMs)
    nextPositionMs += frameMs
    if (frame && waiting.length === 0) onEmpty()
    return { isSound: frame !== undefined }
  }
  /** Runs until there has been nothing to send for a moment. */
  const run = async () => {
    if (isRunning) return
    isRunning = true
    let dueMs = clock.now()
    for (let silent = 0; silent < silentFrames && !signal.aborted; ) {
      if (clock.now() > dueMs + maxLateMs) dueMs = clock.now()
      silent = sendFrame(dueMs).isSound ? 0 : silent + 1
      dueMs += frameMs
      // An abort ends the loop.
      await clock.wait(Math.max(0, dueMs - clock.now()), signal).catch(() => {})
    }
    isRunning = false
  }
  const start = () => {
    if (waiting.length > 0) void run()
  }

  return {
    push(pcm) {
      isComplete = false
      waiting = Buffer.concat([waiting, pcm])
      start()
    },
    end() {
      isComplete = true
      start()
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      start()
    },
    clear() {
      waiting = Buffer.alloc(0)
    },
    get isEmpty() {
      return waiting.length === 0
    },
  }
}
