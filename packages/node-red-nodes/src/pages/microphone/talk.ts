import { createEndOfTurn } from '../../microphones/end-of-turn.ts'
import { levelDb } from '../../microphones/level.ts'
import type { TalkMode } from '../../microphones/page/page-messages.ts'
import { openRecorder, type PageRecorder, problemOf } from '../recorder.ts'
import type { MicrophoneConnection } from './connect-microphone.ts'

/**
 * `waiting`: for the wake word; Node-RED receives the sound, and drops it. `ending`: the button is released, and the end of the
 * last word is still recorded.
 */
export type TalkState = 'idle' | 'opening' | 'waiting' | 'recording' | 'ending'

/** Names a text of the page. */
export type TalkProblem =
  | 'denied'
  | 'noMicrophone'
  | 'inUse'
  | 'muted'
  | 'nothingSaid'
  | 'tooShort'
  | 'tooLong'
  | 'unplugged'

export interface TalkOptions {
  mode: TalkMode
  connection: MicrophoneConnection
  onState(state: TalkState): void
  /** The level of each 20 ms in dB, while it is recorded. */
  onLevel(levelDb: number): void
  /** Nothing: the microphone is no longer muted. */
  onProblem(problem: TalkProblem | undefined): void
}

/** People release the button before they have finished the last word. */
const tailMs = 200
/** Nobody says a word in less: a tap on a button that wants to be held. */
const minHoldMs = 400
/** Opening a microphone takes up to 0.3 s, in which the first word would be lost. */
const keepOpenMs = 30_000
/** Somebody has put something on the button, or the room is loud. */
const maxTurnMs = 300_000
/** A microphone that is on has some noise, except one that suppresses it until somebody speaks. */
const maxZeroPackets = 100

/** Records what a person says to the page. */
export class Talk {
  readonly #options: TalkOptions
  #state: TalkState = 'idle'
  #recorder: Promise<PageRecorder> | undefined
  #attempts = 0
  #timer: number | undefined
  #endOfTurn = createEndOfTurn()
  #zeroPackets = 0
  #hasSound = false
  #startedAt = 0

  constructor(options: TalkOptions) {
    this.#options = options
  }

  get state(): TalkState {
    return this.#state
  }

  /** Begins to record. Call it in the handler of a click or a key. */
  async start(): Promise<void> {
    if (this.#state !== 'idle') return
    this.#attempts += 1
    const attempt = this.#attempts
    clearTimeout(this.#timer)
    this.#change('opening')
    this.#recorder ??= this.#openRecorder()
    const recorder = this.#recorder
    try {
      await recorder
    } catch (error) {
      // A later attempt may have opened another one.
      if (this.#recorder === recorder) this.#recorder = undefined
      if (attempt === this.#attempts) this.#finish(problemOf(error))
      return
    }
    if (attempt !== this.#attempts) return
    if (this.#options.mode === 'wake-word') this.wait()
    else this.#begin()
  }

  /** Waits for the wake word, also again after a connection was lost. */
  wait(): void {
    clearTimeout(this.#timer)
    this.#options.connection.send({ type: 'wait' })
    this.#change('waiting')
  }

  /** Somebody has said the wake word, or the flow wants to listen: records what follows. */
  wake(): void {
    if (this.#state !== 'waiting') return
    this.#record()
    this.#recorder?.then(({ playTone }) => playTone()).catch(() => {})
  }

  /** Ends the recording because the server has, or because it is gone. The microphone of a page with a wake word stays on. */
  interrupt(): void {
    const staysOn = this.#options.mode === 'wake-word' && this.#state !== 'opening'
    if (!staysOn) this.abort()
    else if (this.#state !== 'idle') this.wait()
  }

  /** Ends the recording. */
  stop() {
    if (this.#state === 'ending') return
    if (this.#state === 'idle' || this.#options.mode !== 'push') return this.#finish()
    const isTap = this.#state === 'opening' || Date.now() - this.#startedAt < minHoldMs
    if (isTap) return this.#finish('tooShort')
    this.#change('ending')
    this.#after(tailMs, () => this.#finish())
  }

  /** Ends the recording without a message to the server, which knows or cannot be reached. */
  abort(): void {
    if (this.#state === 'idle') return
    this.#attempts += 1
    // People who talk without a button expect that the microphone is off afterwards.
    const isLasting = ['hands-free', 'wake-word'].includes(this.#options.mode)
    const delayMs = isLasting ? 0 : keepOpenMs
    this.#after(delayMs, () => this.#closeRecorder())
    this.#change('idle')
  }

  #openRecorder(): Promise<PageRecorder> {
    return openRecorder({
      onPacket: (packet) => this.#takePacket(packet),
      onMuted: (isMuted) => this.#options.onProblem(isMuted ? 'muted' : undefined),
      onLost: () => {
        this.#closeRecorder()
        this.#finish('unplugged')
      },
    })
  }

  #closeRecorder(): void {
    this.#recorder?.then(({ close }) => close()).catch(() => {})
    this.#recorder = undefined
  }

  #begin(): void {
    this.#options.connection.send({ type: 'start' })
    this.#record()
  }

  #record(): void {
    const { mode } = this.#options
    this.#endOfTurn = createEndOfTurn()
    this.#zeroPackets = 0
    this.#hasSound = false
    this.#startedAt = Date.now()
    this.#change('recording')
    if (mode !== 'hands-free') this.#after(maxTurnMs, () => this.#endTooLong())
  }

  #endTooLong(): void {
    // As after a silence: music in the room does not turn the microphone off.
    if (this.#options.mode === 'wake-word') this.wait()
    else this.#finish('tooLong')
  }

  #takePacket(packet: Int16Array<ArrayBuffer>): void {
    if (this.#state === 'idle' || this.#state === 'opening') return
    const { mode, connection, onLevel } = this.#options
    connection.sendPacket(packet)
    const level = levelDb(packet)
    onLevel(level)
    this.#checkMuted(packet)
    const endsOnSilence = mode === 'tap' || mode === 'wake-word'
    if (!endsOnSilence || this.#state === 'waiting') return
    const end = this.#endOfTurn(level)
    if (!end) return
    const problem = end === 'nothing said' ? 'nothingSaid' : undefined
    if (mode === 'tap') this.#finish(problem)
    // That nobody spoke is no problem for people who do not look at the page.
    else this.wait()
  }

  /** A microphone that has delivered a sound is not muted, although some deliver zeros between the words. */
  #checkMuted(packet: Int16Array) {
    if (this.#hasSound) return
    const { onProblem } = this.#options
    this.#hasSound = packet.some((sample) => sample !== 0)
    if (this.#hasSound && this.#zeroPackets >= maxZeroPackets) return onProblem(undefined)
    this.#zeroPackets += 1
    if (this.#zeroPackets === maxZeroPackets) onProblem('muted')
  }

  #finish(problem?: TalkProblem): void {
    const { connection, onProblem } = this.#options
    if (this.#state !== 'opening' && this.#state !== 'idle') connection.send({ type: 'end' })
    this.abort()
    if (problem) onProblem(problem)
  }

  #change(state: TalkState): void {
    this.#state = state
    this.#options.onState(state)
  }

  #after(delayMs: number, action: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(action, delayMs)
  }
}
