import type { ScrapedMetrics } from './scraped-metrics.ts'

/** What the metrics say about jobs. */
export interface JobFigures {
  /** Jobs that run in this process. */
  readonly running: number
  /** Jobs that have ended in this process. */
  readonly ended: Readonly<{ done: number; failed: number }>
  /** Jobs that have not ended, of all services that share the store. Rejects while the store is away. */
  countUnfinished(): Promise<number>
}

/** Adds the metrics of jobs. */
export function addJobMetrics({ gauge, counter }: ScrapedMetrics, figures: JobFigures): void {
  gauge(
    'parlando_unfinished_jobs',
    'Jobs that wait, run or are paused, of all services that share a Redis',
    () => figures.countUnfinished().catch(() => Number.NaN),
  )
  gauge('parlando_running_jobs', 'Jobs that run in this service', () => figures.running)
  counter('parlando_done_jobs_total', 'Jobs that this service has ended', () => figures.ended.done)
  counter('parlando_failed_jobs_total', 'Jobs that failed here', () => figures.ended.failed)
}
