import { EngineError } from '../errors/engine-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { type Child, startChild, toStartError } from './child.ts'

export interface ProgramOptions {
  /** The name of the program in messages. */
  name: string
  /** The file of the program. */
  programPath: string
  /** The arguments of the program, read before each start. @throws {EngineError | ServiceError} if it must not start now. */
  readArguments(): readonly string[] | Promise<readonly string[]>
  /** If the memory of the process has grown by more than this since it was ready, `run` replaces it. Default: any growth is accepted. */
  maxGrowthBytes?: number
  /** The process ends if it had no work for this long, which frees its memory. Default: it stays. */
  idleLimitMs?: number
  /** Receives failures of the process, never what was said. */
  warn(message: string): void
}

export interface RestartingProgramOptions<Report> extends ProgramOptions {
  nodeOptions?: readonly string[]
  /** What to use instead of a program that does not start. */
  alternative: string
  /** The last report on work whose process has ended. */
  toEnd(reason: string): Report
  /** The warning when a process ends with this much work. */
  describeEnd(workCount: number): string
  /** Watches each process. @param fail ends it for a reason. */
  watch?(fail: (reason: string) => void): ProgramWatch<Report>
}

export interface ProgramWatch<Report> {
  start(): void
  onReport(report: Report): void
  stop(): void
}

/** A request or a report with the number of the work that it is about. */
export type Numbered<Message> = Message & { work: number }

/** A piece of work that a process does. */
export interface ProgramWork<Request, Report> {
  /** Receives the reports on the work. To be set before the first request. */
  onReport(report: Report): void
  send(request: Request): void
  /** Ends the process because of this work, which gets the reason as its last report. */
  endProcess(reason: string): void
  /** The next work gets a new process. */
  replaceProcess(): void
  /** Must be called at the end of the work. A process that was replaced or retired then ends, and an idle one after a while. */
  release(): void
}

interface Running<Info, Request, Report> {
  child: Child<Info, Numbered<Request>>
  works: Map<number, ProgramWork<Request, Report>>
  /** Whether it only shows that the program starts. */
  isTrial: boolean
}

/** A program in its own process, with several pieces of work at once. It starts when it is needed, and again after it has exited. */
export class RestartingProgram<Info, Request extends object, Report> {
  readonly #options: RestartingProgramOptions<Report>
  #current: Running<Info, Request, Report> | undefined
  #starting: Promise<Running<Info, Request, Report>> | undefined
  #idleLimit: NodeJS.Timeout | undefined
  #lastNumber = 0
  #isClosed = false
  #isRetired = false

  constructor(options: RestartingProgramOptions<Report>) {
    this.#options = options
  }

  /** Whether the process runs, and takes memory. */
  get isAlive(): boolean {
    return this.#current?.child.isAlive ?? false
  }

  /**
   * Starts the program to ask for its information, and ends it.
   * @param tryOut uses the program before it ends.
   * @throws {Error} if it does not start, and the error of `tryOut`.
   */
  async readInfo(
    tryOut?: (work: ProgramWork<Request, Report>, info: Info) => Promise<unknown>,
  ): Promise<Info> {
    const running = await this.#start(true)
    const { child } = running
    try {
      await tryOut?.(this.#addWork(running), child.info)
    } finally {
      await child.end()
    }
    return child.info
  }

  /** @throws {EngineError} if the program is closed or retired. */
  rejectWhenClosed(): void {
    if (this.#isClosed || this.#isRetired) throw this.#closedError()
  }

  /**
   * Begins a piece of work, and starts the program unless it is running.
   * @throws {EngineError} if it does not start, or is closed. The {ServiceError} of `readArguments`.
   */
  async begin(): Promise<ProgramWork<Request, Report>> {
    if (this.#isClosed) throw this.#closedError()
    clearTimeout(this.#idleLimit)
    if (!this.#current?.child.isAlive) {
      this.#starting ??= this.#startOrWarn().finally(() => {
        this.#starting = undefined
      })
      this.#current = await this.#starting
    }
    if (!this.#isClosed) return this.#addWork(this.#current)
    await this.#current.child.end()
    throw this.#closedError()
  }

  /**
   * Does a piece of work. Then, a process whose memory has grown too much is replaced.
   * @param cancel the request that cancels the work; it is sent after an abort.
   * @throws as `begin`. The signal's reason if it is aborted before the work begins.
   */
  async run<Outcome extends { grownBytes: number }>(
    signal: AbortSignal,
    cancel: Request,
    doWork: (work: ProgramWork<Request, Report>) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { maxGrowthBytes = Number.POSITIVE_INFINITY } = this.#options
    const work = await this.begin()
    const sendCancel = () => work.send(cancel)
    try {
      signal.throwIfAborted()
      signal.addEventListener('abort', sendCancel, { once: true })
      const outcome = await doWork(work)
      if (outcome.grownBytes > maxGrowthBytes) work.replaceProcess()
      return outcome
    } finally {
      signal.removeEventListener('abort', sendCancel)
      work.release()
    }
  }

  /** Ends the process, with its work. It starts again for the next work. */
  async end(): Promise<void> {
    await this.#current?.child.end()
  }

  /** Ends the program after the running work. */
  retire(): void {
    this.#isRetired = true
    clearTimeout(this.#idleLimit)
    if (this.#current) this.#endIfUnused(this.#current)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleLimit)
    const running = await (this.#starting?.catch(() => undefined) ?? this.#current)
    await running?.child.end()
  }

  #closedError(): EngineError {
    return new EngineError('unavailable', `${this.#options.name} is closed`)
  }

  async #startOrWarn(): Promise<Running<Info, Request, Report>> {
    const { name, alternative, warn } = this.#options
    try {
      return await this.#start(false)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      if (!this.#isClosed) warn(`${name} does not start: ${(error as Error).message}`)
      throw toStartError(name, error as Error, alternative)
    }
  }

  async #start(isTrial: boolean): Promise<Running<Info, Request, Report>> {
    const { name, programPath, nodeOptions, readArguments, warn } = this.#options
    const works: Running<Info, Request, Report>['works'] = new Map()
    const watch = this.#options.watch?.((reason) => {
      warn(`${name} ${reason} and was stopped`)
      void child.end()
    })
    const child = await startChild<Info, Numbered<Request>, Numbered<Report>>(
      programPath,
      await readArguments(),
      (report) => {
        watch?.onReport(report)
        works.get(report.work)?.onReport(report)
      },
      nodeOptions,
    )
    watch?.start()
    const running = { child, works, isTrial }
    void child.exited.then(() => {
      watch?.stop()
      this.#reportEnd(running)
    })
    return running
  }

  #reportEnd({ works, isTrial }: Running<Info, Request, Report>): void {
    const { warn, describeEnd, toEnd } = this.#options
    if (works.size > 0 && !this.#isClosed && !isTrial) warn(describeEnd(works.size))
    for (const work of works.values()) work.onReport(toEnd('its process ended'))
  }

  #addWork(running: Running<Info, Request, Report>): ProgramWork<Request, Report> {
    const { child, works } = running
    this.#lastNumber += 1
    const number = this.#lastNumber
    const work: ProgramWork<Request, Report> = {
      onReport() {},
      send: (request) => child.send({ ...request, work: number }),
      endProcess: (reason) => {
        works.delete(number)
        void child.end()
        work.onReport(this.#options.toEnd(reason))
      },
      replaceProcess: () => {
        if (running === this.#current) this.#current = undefined
      },
      release: () => {
        works.delete(number)
        this.#endIfUnused(running)
      },
    }
    works.set(number, work)
    return work
  }

  #endIfUnused(running: Running<Info, Request, Report>): void {
    const { idleLimitMs } = this.#options
    if (running.works.size > 0) return
    if (running !== this.#current || this.#isRetired) return void running.child.end()
    clearTimeout(this.#idleLimit)
    if (idleLimitMs === undefined) return
    this.#idleLimit = setTimeout(() => {
      this.#current = undefined
      void running.child.end()
    }, idleLimitMs).unref()
  }
}
