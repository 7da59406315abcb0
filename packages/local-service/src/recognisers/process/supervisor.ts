import { createRestartingProgram, type ProgramOptions } from '../../processes/restarting-program.ts'
import {
  createUtteranceSlots,
  limitUtterance,
  maxUtteranceSeconds,
  type Recognition,
  recogniserRateHertz,
} from '../recogniser.ts'
import type { FromParent, FromProgram } from './program.ts'
import { createInput, recognise } from './utterance.ts'

/** A program that recognises speech in its own process. It starts with the first utterance, and again after it has exited. */
export interface RecogniserProcess<Info, Start> {
  /**
   * Starts the program to ask for its information, and ends it.
   * @throws {Error} if it does not start.
   */
  readInfo(): Promise<Info>
  /**
   * Starts an utterance. Until a slot is free, its samples wait here.
   * @throws {BusyError} if too many utterances wait. After an abort, the signal's reason.
   */
  open(start: Start, control: UtteranceControl): Recognition
  /** Rejects further utterances, and ends the program after the running ones. */
  retire(): void
  close(): Promise<void>
}

export interface UtteranceControl {
  signal: AbortSignal
  onInterim?(text: string): void
}

export interface RecogniserProcessOptions extends ProgramOptions {
  programArguments: readonly string[]
  /** Called before each start. @throws {EngineError} if the program must not start now. */
  beforeStart?(): void
  /** How many utterances the program recognises in parallel. */
  slots: number
  /** Above this number of waiting utterances, new ones are rejected. Default: 16. */
  maxWaiting?: number
  /** If the memory of the process has grown by more than this since it was ready, the process is replaced. */
  maxGrowthBytes: number
  /** An utterance fails if its caller or the program does nothing for so long. Default: 60 s. */
  stallLimitMs?: number
}

const maxBufferedSamples = maxUtteranceSeconds * recogniserRateHertz

export function createRecogniserProcess<Info, Start>(
  options: RecogniserProcessOptions,
): RecogniserProcess<Info, Start> {
  const { name, maxGrowthBytes, maxWaiting = 16, stallLimitMs = 60_000, warn } = options
  const slots = createUtteranceSlots({ slots: options.slots, maxWaiting })
  const program = createRestartingProgram<Info, FromParent<Start>, FromProgram>({
    ...options,
    alternative: 'another recogniser',
    readArguments() {
      options.beforeStart?.()
      return options.programArguments
    },
    numberOf: ({ utterance }) => utterance,
    toEnd: (utterance, reason) => ({ utterance, type: 'failed', kind: 'unavailable', reason }),
    describeEnd: () => `${name} failed during an utterance: its process ended`,
  })
  let lastNumber = 0

  const run = async (
    first: Start,
    input: ReturnType<typeof createInput>,
    { signal, onInterim }: UtteranceControl,
  ) => {
    const release = await slots.acquire(signal)
    let running: Awaited<ReturnType<typeof program.acquire>> | undefined
    try {
      running = await program.acquire()
      signal.throwIfAborted()
      lastNumber += 1
      const named = { name, number: lastNumber, start: first, stallLimitMs, warn }
      const { result, grownBytes } = await recognise(running, {
        ...named,
        input,
        signal,
        onInterim,
      })
      if (grownBytes > maxGrowthBytes) program.replace(running)
      return result
    } finally {
      release()
      if (running) program.release(running)
    }
  }

  return {
    readInfo: program.readInfo,
    open(first, control) {
      const { signal } = control
      signal.throwIfAborted()
      program.rejectWhenClosed()
      slots.rejectWhenFull()
      const input = createInput()
      let isSettled = false
      const result = run(first, input, control).finally(() => {
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
          await abortable(signal, Promise.race([room, result]))
        },
        end() {
          input.end()
          return abortable(signal, result)
        },
      }
    },
    retire: program.retire,
    close: program.close,
  }
}

/** Rejects at once with the signal's reason after an abort, although the work needs a moment to end. */
async function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}
