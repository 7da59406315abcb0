import { createBestMicrophone } from '../../../microphones/best-microphone.ts'
import type { ListenOptions, Microphone } from '../../../microphones/microphone.ts'
import { MicrophoneError } from '../../../microphones/microphone-recording.ts'
import type { OpenMicrophoneMessage } from '../../browser/commands.ts'

export interface PageQuestionMicrophoneOptions {
  /** The browsers that can send sound. */
  players(): Iterable<string>
  send(player: string, message: OpenMicrophoneMessage): void
  /** The error when no browser can record, by what the last one has reported. */
  describe(problem: string): string
}

/**
 * The microphones of the browsers that have opened a page, for answers to a question. While a flow listens, all of them record; the one that hears best is
 * heard, and the others stop.
 */
export class PageQuestionMicrophone implements Microphone {
  readonly cancelsEcho = true
  readonly #options: PageQuestionMicrophoneOptions
  readonly #listeners = new Map<ListenOptions, (error: unknown) => void>()
  /** The browsers that cannot record. */
  readonly #failed = new Set<string>()
  #best: ReturnType<typeof createBestMicrophone<string>> | undefined
  /** The browser that hears best. Only this one still listens. */
  #chosen: string | undefined

  constructor(options: PageQuestionMicrophoneOptions) {
    this.#options = options
  }

  async listen(options: ListenOptions): Promise<void> {
    const { signal } = options
    if (signal.aborted) return
    try {
      await new Promise<void>((resolve, reject) => {
        this.#listeners.set(options, reject)
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (this.#best === undefined) this.#open()
      })
    } finally {
      this.#listeners.delete(options)
      if (this.#listeners.size === 0) this.#close()
    }
  }

  /** Handles a browser that has connected, also again: its microphone opens at once if a flow listens. */
  connected(player: string): void {
    if (this.#best && this.#chosen === undefined) this.#send(player, true)
  }

  /** A browser is gone. */
  leave(player: string): void {
    this.#failed.delete(player)
    this.#replace(player)
  }

  /** Takes the sound of a browser. What arrives after the end is dropped. */
  takeSound(player: string, pcm: Buffer): void {
    this.#best?.push(player, pcm)
  }

  /** A browser cannot record. @param problem such as `denied`. */
  takeProblem(player: string, problem: string): void {
    this.#failed.add(player)
    this.#replace(player)
    if ([...this.#options.players()].some((one) => !this.#failed.has(one))) return
    const error = new MicrophoneError(this.#options.describe(problem))
    for (const fail of this.#listeners.values()) fail(error)
  }

  /** The others listen again, if the browser that hears best is gone or cannot record any more. */
  #replace(player: string): void {
    this.#best?.leave(player)
    if (player !== this.#chosen) return
    this.#chosen = undefined
    for (const other of this.#options.players()) if (other !== player) this.#send(other, true)
  }

  #open(): void {
    this.#failed.clear()
    this.#best = createBestMicrophone<string>({
      onPcm: (pcm) => {
        for (const { onPcm } of this.#listeners.keys()) onPcm(pcm)
      },
      onChosen: (player) => {
        this.#chosen = player
        for (const other of this.#options.players()) if (other !== player) this.#send(other, false)
      },
    })
    for (const player of this.#options.players()) this.#send(player, true)
  }

  #close(): void {
    this.#best?.close()
    this.#best = undefined
    this.#chosen = undefined
    for (const player of this.#options.players()) this.#send(player, false)
  }

  #send(player: string, isOpen: boolean): void {
    this.#options.send(player, { type: 'microphone', use: 'question', isOpen })
  }
}
