import { EngineError } from '../../engine-error.ts'
import { startChild, toStartError } from '../../processes/child.ts'
import type { FromParent, FromProgram } from './program.ts'
import type { RunningProgram } from './utterance.ts'

/** A program in its own process. It starts when it is needed, and again after it has exited. */
export interface RestartingProgram<Info, Start> {
  /**
   * Starts the program to ask for its information, and ends it.
   * @throws {Error} if it does not start.
   */
  readInfo(): Promise<Info>
  /** @throws {EngineError} if the program is closed or retired. */
  rejectWhenClosed(): void
  /**
   * Starts the program unless it is running. The caller must release it.
   * @throws {EngineError} if it does not start, or is closed.
   */
  acquire(): Promise<RunningProgram<Info, Start>>
  /** Ends a process that was replaced or retired after its last utterance, and an idle one after a while. */
  release(running: RunningProgram<Info, Start>): void
  /** The next utterance gets a new process. */
  replace(running: RunningProgram<Info, Start>): void
  /** Ends the program after the running utterances. */
  retire(): void
  close(): Promise<void>
}

export interface RestartingProgramOptions {
  /** The name of the program in messages. */
  name: string
  /** The file of the program. */
  programPath: string
  programArguments: readonly string[]
  /** The process ends if it had no utterance for so long, which frees its memory. Default: 10 minutes. */
  idleLimitMs?: number
  /** Called before each start. @throws {EngineError} if the program must not start now. */
  beforeStart?(): void
  /** Receives failures of the process, never the text of an utterance. */
  warn(message: string): void
}

export function createRestartingProgram<Info, Start>(
  options: RestartingProgramOptions,
): RestartingProgram<Info, Start> {
  const { name, programPath, programArguments, idleLimitMs = 10 * 60_000, warn } = options
  let current: RunningProgram<Info, Start> | undefined
  let starting: Promise<RunningProgram<Info, Start>> | undefined
  let idleLimit: NodeJS.Timeout | undefined
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

  const acquire = async (): Promise<RunningProgram<Info, Start>> => {
    clearTimeout(idleLimit)
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

  const release = (running: RunningProgram<Info, Start>) => {
    if (running.receivers.size > 0) return
    if (running !== current || isRetired) return void running.child.end()
    clearTimeout(idleLimit)
    idleLimit = setTimeout(() => {
      current = undefined
      void running.child.end()
    }, idleLimitMs).unref()
  }

  return {
    async readInfo() {
      const { child } = await start()
      await child.end()
      return child.info
    },
    rejectWhenClosed() {
      if (isClosed || isRetired) throw closedError()
    },
    acquire,
    release,
    replace(running) {
      if (running === current) current = undefined
    },
    retire() {
      isRetired = true
      clearTimeout(idleLimit)
      if (current) release(current)
    },
    async close() {
      isClosed = true
      clearTimeout(idleLimit)
      const running = await (starting?.catch(() => undefined) ?? current)
      await running?.child.end()
    },
  }
}
