import { startChild, toStartError } from '../../child-process/child.ts'
import { EngineError } from '../../engine-error.ts'
import {
  limitUtterance,
  maxUtteranceSeconds,
  type Recognition,
  recogniserRateHertz,
} from '../recogniser.ts'
import { createSlots } from '../slots.ts'
import { createInput } from './input.ts'
import type { FromParent, FromProgram } from './program.ts'
import { type RunningProgram, recognise } from './utterance.ts'

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

export interface RecogniserProcessOptions {
  /** The name of the program in messages. */
  name: string
  /** The file of the program. */
  programPath: string
  programArguments: readonly string[]
  /** How many utterances the program recognises in parallel. */
  slots: number
  /** Above this number of waiting utterances, new ones are rejected. Default: 16. */
  maxWaiting?: number
  /** If the memory of the process has grown by more than this since it was ready, the process is replaced. */
  maxGrowthBytes: number
  /** An utterance fails if its caller or the program does nothing for so long. Default: 60 s. */
  stallLimitMs?: number
  /** The process ends if it had no utterance for so long, which frees its memory. Default: 10 minutes. */
  idleLimitMs?: number
  /** Called before each start. @throws {EngineError} if the program must not start now. */
  beforeStart?(): void
  /** Receives failures of the process, never the text of an utterance. */
  warn(message: string): void
}

const maxBufferedSamples = maxUtteranceSeconds * recogniserRateHertz

export function createRecogniserProcess<Info, Start>(
  options: RecogniserProcessOptions,
): RecogniserProcess<Info, Start> {
  const { name, programPath, programArguments, maxGrowthBytes, warn } = options
  const { maxWaiting = 16, stallLimitMs = 60_000, idleLimitMs = 10 * 60_000 } = options
  const slots = createSlots({ slots: options.slots, maxWaiting })
  let current: RunningProgram<Info, Start> | undefined
  let starting: Promise<RunningProgram<Info, Start>> | undefined
  let idleLimit: NodeJS.Timeout | undefined
  let lastNumber = 0
  let isClosed = false
  let isRetired = false

  const closedError = () => new EngineError('unavailable', `${name} is closed`)

  const start = async (): Promise<RunningProgram<Info, Start>> => {
    options.beforeStart?.()
    const receivers: RunningProgram<Info, Start>['receivers'] = new Map()
    const child = await startChild<Info, FromParent<Start>, FromProgram>(
      programPath,
      programArguments,
      (report) => receivers.get(report.utterance)?.(report),
    )
    void child.exited.then(() => {
      const reason = 'its process ended'
      if (receivers.size > 0 && !isClosed) warn(`${name} failed during an utterance: ${reason}`)
      for (const [utterance, receive] of receivers) {
        receive({ utterance, type: 'failed', kind: 'unavailable', reason })
      }
    })
    return { child, receivers }
  }

  const rejectStart = (error: Error): never => {
    if (!isClosed) warn(`${name} does not start: ${error.message}`)
    throw toStartError(name, error, 'another recogniser')
  }

  const ensureAlive = async (): Promise<RunningProgram<Info, Start>> => {
    if (current?.child.isAlive) return current
    starting ??= start()
      .catch(rejectStart)
      .finally(() => {
        starting = undefined
      })
    current = await starting
    if (!isClosed) return current
    await current.child.end()
    throw closedError()
  }

  /** Ends a process that was replaced or retired after its last utterance, and an idle one after a while. */
  const endWhenIdle = (running: RunningProgram<Info, Start>) => {
    if (running.receivers.size > 0) return
    if (running !== current || isRetired) return void running.child.end()
    idleLimit = setTimeout(() => {
      current = undefined
      void running.child.end()
    }, idleLimitMs).unref()
  }

  const run = async (
    first: Start,
    input: ReturnType<typeof createInput>,
    { signal, onInterim }: UtteranceControl,
  ) => {
    const release = await slots.acquire(signal)
    let running: RunningProgram<Info, Start> | undefined
    try {
      running = await ensureAlive()
      signal.throwIfAborted()
      clearTimeout(idleLimit)
      lastNumber += 1
      const named = { name, number: lastNumber, start: first, stallLimitMs, warn }
      const { result, grownBytes } = await recognise(running, {
        ...named,
        input,
        signal,
        onInterim,
      })
      if (grownBytes > maxGrowthBytes && running === current) current = undefined
      return result
    } finally {
      release()
      if (running) endWhenIdle(running)
    }
  }

  return {
    async readInfo() {
      const { child } = await start()
      await child.end()
      return child.info
    },
    open(first, control) {
      const { signal } = control
      signal.throwIfAborted()
      if (isClosed || isRetired) throw closedError()
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
    retire() {
      isRetired = true
      clearTimeout(idleLimit)
      if (current) endWhenIdle(current)
    },
    async close() {
      isClosed = true
      clearTimeout(idleLimit)
      const running = await (starting?.catch(() => undefined) ?? current)
      await running?.child.end()
    },
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
