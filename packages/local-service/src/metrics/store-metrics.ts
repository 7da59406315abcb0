import type { Registry } from 'prom-client'
import type { StoreState } from '../voices/store/follow-store.ts'
import { createScrapeCounters } from './scrape-counters.ts'

/** Adds the metrics of a store that services share, which are read on each scrape. Without a store, there are none. */
export function addStoreMetrics(
  library: typeof import('prom-client'),
  registry: Registry,
  state: Readonly<StoreState> | undefined,
): void {
  if (!state) return
  new library.Gauge({
    name: 'parlando_store_up',
    help: 'Whether the store of the voices could be reached at the last check',
    registers: [registry],
    collect() {
      this.set(Number(!state.isAway))
    },
  })
  const { counter } = createScrapeCounters(library, registry)
  counter('parlando_store_failures_total', 'Checks of the store that failed', () => state.failures)
  counter('parlando_store_changes_total', 'Changes of the voices in it', () => state.changes)
}
