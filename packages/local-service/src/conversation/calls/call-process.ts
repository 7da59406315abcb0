import { EngineError } from '../../engine-error.ts'
import { ServiceError } from '../../errors.ts'
import { type Child, startChild, toStartError } from '../../processes/child.ts'
import { programPath } from '../../processes/program-path.ts'
import type { CallEvent, CallReport, CallRequest } from './calls-program.ts'
import { createWatchdog } from './watchdog.ts'

/**
 * The process of all calls: what strangers send cannot end or stop the service. It starts with the first call and ends a
 * while after the last one. If it fails, all its calls end, and the next call starts it again.
 */
export interface CallProcess {
  /**
   * Starts the process if it does not run, and opens a channel to a new call there.
   * @throws {EngineError} if it does not start.
   */
  open(onEvent: (event: CallEvent) => void): Promise<CallChannel>
  close(): Promise<void>
}

/** Sends requests for one call. */
export interface CallChannel {
  send(request: WithoutCall<CallRequest>): void
  /** Must be called when the call has ended. */
  release(): void
}

type WithoutCall<Request> = Request extends unknown ? Omit<Request, 'call'> : never

export interface CallProcessOptions {
  /** Finds the package `@parlando/webrtc`. @throws {ServiceError} if it is not installed. */
  findWebRtc(): string
  /** Receives failures of the process. */
  warn(message: string): void
  /** Default: one minute. A start takes a third of a second, and an idle process 70 MiB. */
  idleLimitMs?: number
}

const name = 'The process of calls over WebRTC'
/** Ten calls take 30 MiB. Endless work that allocates memory ends at this limit, before it slows the machine. */
const nodeOptions = ['--max-old-space-size=192', '--max-semi-space-size=1']

interface Running {
  child: Child<undefined, CallRequest>
  receivers: Map<number, (event: CallEvent) => void>
}

export function createCallProcess(options: CallProcessOptions): CallProcess {
  const { findWebRtc, warn, idleLimitMs = 60_000 } = options
  let current: Running | undefined
  let starting: Promise<Running> | undefined
  let idleLimit: NodeJS.Timeout | undefined
  let isClosed = false
  let lastNumber = 0

  const start = async (): Promise<Running> => {
    const receivers: Running['receivers'] = new Map()
    const watchdog = createWatchdog((reason) => {
      warn(`${name} ${reason} and was stopped`)
      void running.child.end()
    })
    const onReport = (report: CallReport) => {
      if (report.type === 'alive') watchdog.feed(report.memoryBytes)
      else receivers.get(report.call)?.(report)
    }
    const path = programPath('calls-program')
    const child = await startChild<undefined, CallRequest, CallReport>(
      path,
      [findWebRtc()],
      onReport,
      nodeOptions,
    )
    const running: Running = { child, receivers }
    watchdog.start()
    void child.exited.then(() => {
      watchdog.stop()
      if (receivers.size > 0 && !isClosed) {
        warn(`${name} has ended. Calls that ended with it: ${receivers.size}`)
      }
      for (const receive of receivers.values()) {
        receive({ type: 'failed', reason: 'its process ended' })
      }
    })
    return running
  }

  const rejectStart = (error: Error): never => {
    if (error instanceof ServiceError) throw error
    if (!isClosed) warn(`${name} does not start: ${error.message}`)
    throw toStartError(name, error, 'a WebSocket')
  }

  const ensureRunning = async (): Promise<Running> => {
    clearTimeout(idleLimit)
    if (current?.child.isAlive) return current
    starting ??= start().finally(() => {
      starting = undefined
    })
    current = await starting.catch(rejectStart)
    if (!isClosed) return current
    await current.child.end()
    throw new EngineError('unavailable', `${name} is closed`)
  }

  const endWhenIdle = () => {
    if (!current || current.receivers.size > 0) return
    clearTimeout(idleLimit)
    idleLimit = setTimeout(() => void current?.child.end(), idleLimitMs).unref()
  }

  return {
    async open(onEvent) {
      const { child, receivers } = await ensureRunning()
      lastNumber += 1
      const call = lastNumber
      receivers.set(call, onEvent)
      return {
        send: (request) => child.send({ ...request, call } as CallRequest),
        release() {
          receivers.delete(call)
          endWhenIdle()
        },
      }
    },
    async close() {
      isClosed = true
      clearTimeout(idleLimit)
      const running = await (starting?.catch(() => undefined) ?? current)
      await running?.child.end()
    },
  }
}
