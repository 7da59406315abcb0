import { maxHoldMs, startProcessorTime } from '@parlando/test-support/watch/event-loop'

// The measurement of a turn includes up to this much of the turns before it.
const resolutionMs = 5

/** Finds cases that may hold the event loop. */
export interface EventLoopWatch<Case> {
  /** Runs a case, possibly in parallel with others. */
  watch<Result>(given: Case, work: () => Promise<Result>): Promise<Result>
  /**
   * Ends the watch. @returns the first cases during which a turn was too long. Cases run in parallel, and a garbage collection
   * makes a turn longer, so these are only candidates, and a few of them are enough.
   */
  stop(): Case[]
}

const maxCandidates = 20

export function watchEventLoop<Case>(): EventLoopWatch<Case> {
  const running = new Set<Case>()
  const candidates = new Set<Case>()
  let longestMs = 0
  let readMs = startProcessorTime()
  const endTurn = () => {
    longestMs = Math.max(longestMs, readMs())
    readMs = startProcessorTime()
  }
  const timer = setInterval(endTurn, resolutionMs)
  return {
    async watch(given, work) {
      running.add(given)
      try {
        return await work()
      } finally {
        endTurn()
        if (longestMs > maxHoldMs) {
          for (const candidate of running) candidates.add(candidate)
          longestMs = 0
        }
        running.delete(given)
      }
    },
    stop() {
      clearInterval(timer)
      return [...candidates].slice(0, maxCandidates)
    },
  }
}
