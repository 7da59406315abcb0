import type { Registry } from 'prom-client'
import { createScrapeCounters } from './scrape-counters.ts'

/** What the metrics say about jobs. */
export interface JobFigures {
  /** Jobs that run in this process. */
  readonly running: number
  /** Jobs that have ended in this process. */
  readonly ended: Readonly<{ done: number; failed: number }>
  /** Jobs that have not ended, of all services that share the store. Rejects while the store is away. */
  countUnfinished(): Promise<number>
}

/** Adds the metrics of jobs, which are read on each scrape. */
export function addJobMetrics(
  library: typeof import('prom-client'),
  registry: Registry,
  figures: JobFigures,
): void {
  const registers = [registry]
  new library.Gauge({
    name: 'parlando_unfinished_jobs',
    help: 'Jobs that wait, run or are paused, of all services that share a Redis',
    registers,
    async collect() {
      this.set(await figures.countUnfinished().catch(() => Number.NaN))
    },
  })
  new library.Gauge({
    name: 'parlando_running_jobs',
    help: 'Jobs that run in this service',
    registers,
    collect() {
      this.set(figures.running)
    },
  })
  const { counter } = createScrapeCounters(library, registry)
  counter('parlando_done_jobs_total', 'Jobs that this service has ended', () => figures.ended.done)
  counter('parlando_failed_jobs_total', 'Jobs that failed here', () => figures.ended.failed)
}
