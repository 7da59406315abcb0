import type { StoreState } from '../voices/store/follow-store.ts'
import type { ScrapedMetrics } from './scraped-metrics.ts'

/** Adds the metrics of a store that services share. Without a store, there are none. */
export function addStoreMetrics(
  { gauge, counter }: ScrapedMetrics,
  state: Readonly<StoreState> | undefined,
): void {
  if (!state) return
  gauge(
    'parlando_store_up',
    'Whether the store of the voices could be reached at the last check',
    () => Number(!state.isAway),
  )
  counter('parlando_store_failures_total', 'Checks of the store that failed', () => state.failures)
  counter('parlando_store_changes_total', 'Changes of the voices in it', () => state.changes)
}
