import { availableParallelism } from 'node:os'
import { createSlots } from '../../concurrency/slots.ts'

/** Without a limit, a recording would wait as long as people speak, and after a minute without a result its process would be stopped. */
const maxWaitMs = 2_000

/**
 * Runs as many searches at a time as the machine has cores. While more wait, those come first whose result somebody waits for, and
 * those that have waited for two seconds. The search of what somebody still says can wait: only its interim results are late.
 */
export interface SearchQueue {
  run(search: () => Promise<void>, isAwaited: () => boolean): Promise<void>
}

export function createSearchQueue(cores = availableParallelism()): SearchQueue {
  const slots = createSlots({ slots: cores })
  const { signal } = new AbortController()
  return {
    async run(search, isAwaited) {
      const latestStart = performance.now() + maxWaitMs
      const isUrgent = () => isAwaited() || performance.now() >= latestStart
      const release = await slots.acquire(signal, { rank: () => [isUrgent() ? 0 : 1] })
      try {
        await search()
      } finally {
        release()
      }
    },
  }
}
