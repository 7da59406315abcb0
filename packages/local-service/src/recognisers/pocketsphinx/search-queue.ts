import { availableParallelism } from 'node:os'
import { createSlots } from '../../concurrency/slots.ts'

/**
 * Runs as many searches at a time as the machine has cores. While more wait, those come first whose result somebody waits for.
 * The search of what somebody still says can wait: only its interim results are late.
 */
export interface SearchQueue {
  run(search: () => Promise<void>, isAwaited: () => boolean): Promise<void>
}

export function createSearchQueue(cores = availableParallelism()): SearchQueue {
  const slots = createSlots({ slots: cores })
  const { signal } = new AbortController()
  return {
    async run(search, isAwaited) {
      const release = await slots.acquire(signal, { rank: () => [isAwaited() ? 0 : 1] })
      try {
        await search()
      } finally {
        release()
      }
    },
  }
}
