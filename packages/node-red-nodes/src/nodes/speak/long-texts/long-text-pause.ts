import type { SynthesisJob } from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import { unlessAborted } from '../../../runtime/wait.ts'

/** A service that cannot interrupt a job goes on; then only the node waits. */
const cannotInterrupt = ['NOT_FOUND', 'UNIMPLEMENTED']

/** Interrupts a long text: the job of the service, and what follows the job. */
export class LongTextPause {
  readonly #onProblem: (error: unknown) => void
  #job: SynthesisJob<unknown> | undefined
  #isPaused = false
  #over = Promise.resolve()
  #resume = () => {}

  /** @param onProblem called when the service does not respond. */
  constructor(isPaused: boolean, onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem
    if (isPaused) this.pause()
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Interrupts this job from now on. */
  follow(job: SynthesisJob<unknown>): void {
    this.#job = job
    if (this.#isPaused) this.#tell('pause')
  }

  pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#over = new Promise((resolve) => {
      this.#resume = resolve
    })
    this.#tell('pause')
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#resume()
    this.#tell('resume')
  }

  /** Waits until nothing is interrupted. @throws the reason of the signal. */
  over(signal: AbortSignal): Promise<void> {
    return unlessAborted(this.#over, signal)
  }

  #tell(verb: 'pause' | 'resume'): void {
    this.#job?.[verb]().catch((error: unknown) => {
      const isExpected = ParlandoError.isInstance(error) && cannotInterrupt.includes(error.code)
      if (!isExpected) this.#onProblem(error)
    })
  }
}
