import type { OpenMicrophoneMessage } from '../../browser/commands.ts'

type OnPcm = (pcm: Buffer, microphone: string) => void

/** The microphones of the browsers that have the page of a speaker open, while an announcement sounds: for commands. */
export class PageCommandMicrophone {
  /** How many speakers allow it: the one of the page, and one that a form tests. */
  #allowed = 0
  readonly #send: (message: OpenMicrophoneMessage) => void
  #onPcm: OnPcm | undefined

  /** @param send sends a message to all browsers. */
  constructor(send: (message: OpenMicrophoneMessage) => void) {
    this.#send = send
  }

  /** Tells browsers whether to ask for their microphone, and whether to record now. Absent: neither. */
  get message(): OpenMicrophoneMessage | undefined {
    return this.#allowed > 0 ? this.#state : undefined
  }

  /** The form of a speaker allows it. @returns a function to call when the speaker is closed. */
  allow(): () => void {
    this.#allowed += 1
    if (this.#allowed === 1) this.#send(this.#state)
    return () => {
      this.#allowed -= 1
    }
  }

  /** Lets the browsers record until the signal aborts. */
  async open(onPcm: OnPcm, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#allowed === 0) return
    this.#onPcm = onPcm
    this.#send(this.#state)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    // Another announcement may have opened them again.
    if (this.#onPcm !== onPcm) return
    this.#onPcm = undefined
    this.#send(this.#state)
  }

  get #state(): OpenMicrophoneMessage {
    return { type: 'microphone', use: 'commands', isOpen: this.#onPcm !== undefined }
  }

  /** Takes the sound of a browser. The last packets arrive after the end. */
  takeSound(player: string, pcm: Buffer): void {
    this.#onPcm?.(pcm, player)
  }
}
