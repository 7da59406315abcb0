import { setTimeout as wait } from 'node:timers/promises'
import type { Clones } from './clones.ts'
import type { VoiceStore } from './voice-store.ts'

/** A voice that another service has cloned is there within a second, also on a busy machine. */
const checkMs = 300

/** How a store that several services share is doing, for the metrics. */
export interface StoreState {
  /** Whether the last check failed. */
  isAway: boolean
  /** Checks that failed since the start. */
  failures: number
  /** Changes of its voices since the start, also those of this service. */
  changes: number
}

/**
 * Follows the changes that other services make to their common store. While the store is away, the voices stay as they are.
 * @returns its state, and a function that ends it.
 */
export function followStore(
  store: VoiceStore & Required<Pick<VoiceStore, 'version'>>,
  clones: Clones,
  warn: (message: string) => void,
): { state: Readonly<StoreState>; end(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  let known: string | undefined
  const state: StoreState = { isAway: false, failures: 0, changes: 0 }
  const check = async () => {
    try {
      const version = await store.version()
      state.isAway = false
      if (version === known) return
      await clones.refresh()
      if (known !== undefined) state.changes++
      known = version
    } catch (error) {
      if (!state.isAway)
        warn(`The voices of other services are not known now: ${(error as Error).message}`)
      state.isAway = true
      state.failures++
    }
  }
  const following = (async () => {
    while (!signal.aborted) {
      await check()
      await wait(checkMs, undefined, { ref: false, signal }).catch(() => {})
    }
  })()
  return {
    state,
    end() {
      closing.abort()
      return following
    },
  }
}
