import { programPath } from '../../processes/program.ts'
import { type ProgramWatch, RestartingProgram } from '../../processes/restarting-program.ts'
import type { CallReport, CallRequest } from './calls-program.ts'

/**
 * The process of all calls: what strangers send cannot end or stop the service. It starts with the first call and ends a
 * while after the last one. If it fails, all its calls end, and the next call starts it again.
 */
export type CallProcess = RestartingProgram<undefined, CallRequest, CallReport>

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

const checkEveryMs = 1000
const maxMissed = 10
/** Twenty calls take 150 MiB. */
const maxMemoryBytes = 512 * 1024 * 1024

export function createCallProcess(options: CallProcessOptions): CallProcess {
  const { findWebRtc, warn, idleLimitMs = 60_000 } = options
  return new RestartingProgram({
    name,
    programPath: programPath('calls-program'),
    nodeOptions,
    readArguments: () => [findWebRtc()],
    alternative: 'a WebSocket',
    idleLimitMs,
    warn,
    toEnd: (reason) => ({ type: 'failed', reason }),
    describeEnd: (calls) => `${name} has ended. Calls that ended with it: ${calls}`,
    watch: createWatchdog,
  })
}

/**
 * Reports a process that no longer works. The process says regularly that it is alive, and how much memory it takes.
 * @param onFailure receives the reason, as a part of a sentence about the process.
 */
function createWatchdog(onFailure: (reason: string) => void): ProgramWatch<CallReport> {
  let missed = 0
  let timer: NodeJS.Timeout | undefined
  const fail = (reason: string) => {
    clearInterval(timer)
    onFailure(reason)
  }
  return {
    start() {
      // Counted and not measured: after a pause of this process, its timers run before it reads what has arrived.
      timer = setInterval(() => {
        missed += 1
        if (missed > maxMissed) fail(`did not respond for ${(maxMissed * checkEveryMs) / 1000} s`)
      }, checkEveryMs).unref()
    },
    onReport(report) {
      if (report.type !== 'alive') return
      const { memoryBytes } = report
      missed = 0
      const mebibytes = Math.round(memoryBytes / 2 ** 20)
      if (memoryBytes > maxMemoryBytes) fail(`took ${mebibytes} MiB of memory`)
    },
    stop: () => clearInterval(timer),
  }
}
