import type { ProgramWatch } from '../../processes/restarting-program.ts'
import type { CallReport } from './calls-program.ts'

const checkEveryMs = 1000
const maxMissed = 10
/** Twenty calls take 150 MiB. */
const maxMemoryBytes = 512 * 1024 * 1024

/**
 * Reports a process that no longer works. The process says regularly that it is alive, and how much memory it takes.
 * @param onFailure receives the reason, as a part of a sentence about the process.
 */
export function createWatchdog(onFailure: (reason: string) => void): ProgramWatch<CallReport> {
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
