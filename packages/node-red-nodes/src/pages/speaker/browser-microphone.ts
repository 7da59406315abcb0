import type {
  MicrophoneProblem,
  MicrophoneProblemMessage,
  MicrophoneUse,
} from '../../speakers/browser/commands.ts'
import { openRecorder, type PageRecorder, problemOf } from '../recorder.ts'

/** `opening`: the browser may ask the user whether it is allowed. */
export type MicrophoneState = 'closed' | 'opening' | 'open' | MicrophoneProblem

export interface BrowserMicrophoneOptions {
  /** Sends 20 ms of sound, or why there is none. */
  send(data: string | Int16Array<ArrayBuffer>): void
  /** What the microphone does for one of its uses. */
  onState(use: MicrophoneUse, state: MicrophoneState): void
}

/** A browser does not open a microphone while the system asks the user something. */
const maxOpeningMs = 60_000

/**
 * The microphone of the page. It is open only while the server wants to hear somebody, and then for all uses together. A question
 * opens it without a tap: the browser asks the user the first time. For commands, which nobody announces, the browser asks when
 * somebody next touches the page.
 */
export class BrowserMicrophone {
  readonly #options: BrowserMicrophoneOptions
  readonly #uses = new Set<MicrophoneUse>()
  #recorder: Promise<PageRecorder> | undefined
  #hasAsked = false

  constructor(options: BrowserMicrophoneOptions) {
    this.#options = options
  }

  /** The server opens or closes the microphone for a use. */
  take(use: MicrophoneUse, isOpen: boolean): void {
    if (use === 'commands') this.#prepareForCommands()
    if (isOpen) this.#open(use)
    else this.#close(use)
  }

  /** The connection is lost. */
  closeAll(): void {
    for (const use of [...this.#uses]) this.#close(use)
  }

  #prepareForCommands(): void {
    if (this.#hasAsked) return
    this.#hasAsked = true
    if (!isSecureContext) {
      this.#options.onState('commands', 'insecure')
      return
    }
    const asked = new AbortController()
    const ask = () => {
      asked.abort()
      if (this.#recorder) return
      openRecorder({ onPacket() {}, onMuted() {}, onLost() {} }).then(
        ({ close }) => close(),
        (error) => this.#options.onState('commands', problemOf(error)),
      )
    }
    for (const gesture of ['click', 'keydown'])
      addEventListener(gesture, ask, { signal: asked.signal })
  }

  #open(use: MicrophoneUse): void {
    this.#uses.add(use)
    if (!isSecureContext) this.#fail('insecure')
    else if (typeof AudioWorkletNode === 'undefined') this.#fail('unsupported')
    else if (this.#recorder) {
      this.#report('opening')
      this.#reportWhenOpen(this.#recorder)
    } else this.#record()
  }

  #record(): void {
    const { send } = this.#options
    this.#report('opening')
    const own = openRecorder({
      onPacket: (packet) => {
        if (this.#recorder === own && this.#uses.size > 0) send(packet)
      },
      onMuted() {},
      onLost: () => {
        if (this.#recorder === own) this.#fail('noMicrophone')
      },
    })
    this.#recorder = own
    const late = () => this.#recorder === own && this.#fail('inUse')
    const limit = setTimeout(late, maxOpeningMs)
    const endLimit = () => clearTimeout(limit)
    own.then(endLimit, endLimit)
    this.#reportWhenOpen(own)
  }

  #reportWhenOpen(recorder: Promise<PageRecorder>): void {
    recorder.then(
      () => this.#recorder === recorder && this.#report('open'),
      (error) => this.#recorder === recorder && this.#fail(problemOf(error)),
    )
  }

  /** The reason why it could not open stays. */
  #fail(problem: MicrophoneProblem): void {
    this.#stop()
    this.#report(problem)
    if (this.#uses.has('question'))
      this.#options.send(
        JSON.stringify({ type: 'microphone-problem', problem } satisfies MicrophoneProblemMessage),
      )
    this.#uses.clear()
  }

  #close(use: MicrophoneUse): void {
    if (!this.#uses.delete(use)) return
    if (this.#uses.size === 0) this.#stop()
    this.#options.onState(use, 'closed')
  }

  #stop(): void {
    this.#recorder?.then(({ close }) => close()).catch(() => {})
    this.#recorder = undefined
  }

  #report(state: MicrophoneState): void {
    for (const use of this.#uses) this.#options.onState(use, state)
  }
}
