import { programPath } from '../../processes/program-path.ts'
import { createRestartingProgram } from '../../processes/restarting-program.ts'
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

export function createCallProcess(options: CallProcessOptions): CallProcess {
  const { findWebRtc, warn, idleLimitMs = 60_000 } = options
  let lastNumber = 0
  const program = createRestartingProgram<undefined, CallRequest, CallReport>({
    name,
    programPath: programPath('calls-program'),
    nodeOptions,
    readArguments: () => [findWebRtc()],
    alternative: 'a WebSocket',
    idleLimitMs,
    warn,
    numberOf: (report) => (report.type === 'alive' ? undefined : report.call),
    toEnd: (call, reason) => ({ call, type: 'failed', reason }),
    describeEnd: (calls) => `${name} has ended. Calls that ended with it: ${calls}`,
    watch: createWatchdog,
  })

  return {
    async open(onEvent) {
      const running = await program.acquire()
      const { child, receivers } = running
      lastNumber += 1
      const call = lastNumber
      receivers.set(call, (report) => {
        if (report.type !== 'alive') onEvent(report)
      })
      return {
        send: (request) => child.send({ ...request, call } as CallRequest),
        release() {
          receivers.delete(call)
          program.release(running)
        },
      }
    },
    close: program.close,
  }
}
