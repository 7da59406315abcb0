import { EngineError } from '../engine-error.ts'
import { ServiceError } from '../errors.ts'
import { type Child, startChild, toStartError } from './child.ts'

/** A program in its own process, with several pieces of work at once. It starts when it is needed, and again after it has exited. */
export interface RestartingProgram<Info, Request, Report> {
  /**
   * Starts the program to ask for its information, and ends it.
   * @throws {Error} if it does not start.
   */
  readInfo(): Promise<Info>
  /** @throws {EngineError} if the program is closed or retired. */
  rejectWhenClosed(): void
  /**
   * Starts the program unless it is running. The caller must release it.
   * @throws {EngineError} if it does not start, or is closed. The {ServiceError} of `readArguments`.
   */
  acquire(): Promise<RunningProgram<Info, Request, Report>>
  /** Ends a process that was replaced or retired after its last work, and an idle one after a while. */
  release(running: RunningProgram<Info, Request, Report>): void
  /** The next work gets a new process. */
  replace(running: RunningProgram<Info, Request, Report>): void
  /** Ends the program after the running work. */
  retire(): void
  close(): Promise<void>
}

/** A running process and its work. */
export interface RunningProgram<Info, Request, Report> {
  child: Child<Info, Request>
  /** Receive the reports on a piece of work, by its number. */
  receivers: Map<number, (report: Report) => void>
}

export interface ProgramOptions {
  /** The name of the program in messages. */
  name: string
  /** The file of the program. */
  programPath: string
  /** The process ends if it had no work for so long, which frees its memory. Default: 10 minutes. */
  idleLimitMs?: number
  /** Receives failures of the process, never what was said. */
  warn(message: string): void
}

export interface RestartingProgramOptions<Report> extends ProgramOptions {
  nodeOptions?: readonly string[]
  /** Called before each start. @throws {EngineError | ServiceError} if the program must not start now. */
  readArguments(): readonly string[]
  /** What to use instead of a program that does not start. */
  alternative: string
  /** The number of the work that a report is about. */
  numberOf(report: Report): number | undefined
  /** The report on work whose process has ended. */
  toEnd(number: number, reason: string): Report
  /** The warning when a process ends with so much work. */
  describeEnd(workCount: number): string
  /** Watches each process. @param fail ends it for a reason. */
  watch?(fail: (reason: string) => void): ProgramWatch<Report>
}

export interface ProgramWatch<Report> {
  start(): void
  onReport(report: Report): void
  stop(): void
}

export function createRestartingProgram<Info, Request, Report>(
  options: RestartingProgramOptions<Report>,
): RestartingProgram<Info, Request, Report> {
  type Running = RunningProgram<Info, Request, Report>
  const { name, idleLimitMs = 10 * 60_000, warn } = options
  let current: Running | undefined
  let starting: Promise<Running> | undefined
  let idleLimit: NodeJS.Timeout | undefined
  let isClosed = false
  let isRetired = false

  const closedError = () => new EngineError('unavailable', `${name} is closed`)
  const start = async () => {
    const running = await startProgram<Info, Request, Report>(options)
    const { child, receivers } = running
    void child.exited.then(() => {
      if (receivers.size > 0 && !isClosed) warn(options.describeEnd(receivers.size))
      for (const [number, receive] of receivers) receive(options.toEnd(number, 'its process ended'))
    })
    return running
  }
  const rejectStart = (error: Error): never => {
    if (error instanceof ServiceError) throw error
    if (!isClosed) warn(`${name} does not start: ${error.message}`)
    throw toStartError(name, error, options.alternative)
  }
  const release = (running: Running) => {
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
    async acquire() {
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
    },
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

async function startProgram<Info, Request, Report>(
  options: RestartingProgramOptions<Report>,
): Promise<RunningProgram<Info, Request, Report>> {
  const { name, programPath, nodeOptions, numberOf, warn } = options
  const receivers: RunningProgram<Info, Request, Report>['receivers'] = new Map()
  const watch = options.watch?.((reason) => {
    warn(`${name} ${reason} and was stopped`)
    void child.end()
  })
  const child = await startChild<Info, Request, Report>(
    programPath,
    options.readArguments(),
    (report) => {
      watch?.onReport(report)
      const number = numberOf(report)
      if (number !== undefined) receivers.get(number)?.(report)
    },
    nodeOptions,
  )
  watch?.start()
  void child.exited.then(() => watch?.stop())
  return { child, receivers }
}
