import { orAborted } from '../../concurrency/abort-signals.ts'
import type { Slots } from '../../concurrency/slots.ts'
import { type ProgramOptions, RestartingProgram } from '../../processes/restarting-program.ts'
import { createUtteranceSlots } from '../listening-slots.ts'
import {
  limitUtterance,
  maxUtteranceSeconds,
  type RecognisedUtterance,
  type Recognition,
  recogniserRateHertz,
} from '../recogniser.ts'
import { Input, recognise } from './recognise-utterance.ts'
import type { FromRecogniser, ToRecogniser } from './run-recogniser.ts'

export interface UtteranceControl {
  signal: AbortSignal
  onInterim?(text: string): void
}

export interface RecogniserProcessOptions extends ProgramOptions {
  /** How many utterances the program recognises in parallel. */
  slots: number
  /** Above this number of waiting utterances, new ones are rejected. Default: 16. */
  maxWaiting?: number
  /** An utterance fails if its caller or the program does nothing for this long. Default: 60 s. */
  stallLimitMs?: number
}

const idleLimitMs = 10 * 60_000
const maxBufferedSamples = maxUtteranceSeconds * recogniserRateHertz

/** A program that recognises speech in its own process. It starts with the first utterance, and again after it has exited. */
export class RecogniserProcess<Info, Start> {
  readonly #options: RecogniserProcessOptions
  readonly #program: RestartingProgram<Info, ToRecogniser<Start>, FromRecogniser>
  readonly #slots: Slots

  constructor(options: RecogniserProcessOptions) {
    this.#options = options
    const { name, slots, maxWaiting = 16 } = options
    this.#slots = createUtteranceSlots(slots, maxWaiting)
    this.#program = new RestartingProgram({
      idleLimitMs,
      ...options,
      alternative: 'another recogniser',
      toEnd: (reason) => ({ type: 'failed', kind: 'unavailable', reason }),
      describeEnd: () => `${name} failed during an utterance: its process ended`,
    })
  }

  /**
   * Starts the program to ask for its information, and ends it.
   * @throws {Error} if it does not start.
   */
  readInfo(): Promise<Info> {
    return this.#program.readInfo()
  }

  /**
   * Starts an utterance. Until a slot is free, its samples wait here.
   * @throws {BusyError} if too many utterances wait. After an abort, the signal's reason.
   */
  open(start: Start, control: UtteranceControl): Recognition {
    const { signal } = control
    signal.throwIfAborted()
    this.#program.rejectWhenClosed()
    this.#slots.rejectWhenFull()
    const input = new Input()
    let isSettled = false
    const result = this.#recognise(start, input, control).finally(() => {
      isSettled = true
    })
    // The caller may never ask for the result.
    result.catch(() => {})
    return {
      async write(samples) {
        signal.throwIfAborted()
        if (isSettled) await result
        limitUtterance(input.totalLength + samples.length)
        input.push(samples)
        if (input.length < maxBufferedSamples) return
        const room = input.waitUntilBelow(maxBufferedSamples)
        await orAborted(Promise.race([room, result]), signal)
      },
      end() {
        input.end()
        return orAborted(result, signal)
      },
    }
  }

  /** Rejects further utterances, and ends the program after the running ones. */
  retire(): void {
    this.#program.retire()
  }

  close(): Promise<void> {
    return this.#program.close()
  }

  async #recognise(
    start: Start,
    input: Input,
    control: UtteranceControl,
  ): Promise<RecognisedUtterance> {
    const { name, stallLimitMs = 60_000, warn } = this.#options
    const { signal } = control
    const utterance = { ...control, name, start, input, stallLimitMs, warn }
    const release = await this.#slots.acquire(signal)
    try {
      const { result } = await this.#program.run(signal, { type: 'cancel' }, (work) =>
        recognise(work, utterance),
      )
      return result
    } finally {
      release()
    }
  }
}
