import type { RunningEngines } from '../engines/engine-registry.ts'
import type { FinishedRequest } from '../server/observability/finished-request.ts'
import type { VoiceList } from '../voices/voice-list.ts'
import { addEngineMetrics } from './engine-metrics.ts'
import { addJobMetrics, type JobFigures } from './job-metrics.ts'
import { addRequestMetrics } from './request-metrics.ts'
import { createScrapedMetrics, type ScrapedMetrics } from './scraped-metrics.ts'
import { addSocketMetrics, createSocketCounts, type SocketCounts } from './socket-metrics.ts'
import { addStoreMetrics } from './store-metrics.ts'

/** Metrics of the service since its start. */
export interface Metrics {
  /** Counts a finished request. */
  count(finished: FinishedRequest): void
  /** What has happened on sockets. */
  readonly sockets: SocketCounts
  /** All metrics in the text format of Prometheus, and its media type. */
  write(): Promise<{ text: string; contentType: string }>
}

/** The sources of the gauges, read on each scrape. */
export interface Measured {
  engines: RunningEngines
  voiceList: VoiceList
  /** Absent where no sound is kept. */
  sharedSound?: { readonly figures: Readonly<Record<string, number>> } | undefined
  /** Absent in tests. */
  jobs?: JobFigures | undefined
}

/** Loads the library of the metrics when the first request has finished, so that the first speech does not wait for it. */
export function createMetrics(measured: Measured): Metrics {
  const sockets = createSocketCounts()
  let opening: ReturnType<typeof openMetrics> | undefined
  const open = () => {
    opening ??= openMetrics(measured, sockets)
    return opening
  }
  return {
    sockets,
    count(finished) {
      // If the library cannot be loaded, the next scrape fails with the reason.
      open().then(
        (metrics) => metrics.count(finished),
        () => {},
      )
    },
    write: async () => (await open()).write(),
  }
}

async function openMetrics(
  measured: Measured,
  sockets: SocketCounts,
): Promise<Omit<Metrics, 'sockets'>> {
  const library = await import('prom-client')
  const registry = new library.Registry()
  const count = addRequestMetrics(library, registry)
  const scraped = createScrapedMetrics(library, registry)
  addServiceMetrics(scraped, measured)
  addSocketMetrics(scraped, sockets)
  addStoreMetrics(scraped, measured.voiceList.store)
  if (measured.jobs) addJobMetrics(scraped, measured.jobs)
  addEngineMetrics(scraped, measured.engines)
  return {
    count,
    async write() {
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

function addServiceMetrics(
  { gauge, counterBy }: ScrapedMetrics,
  { voiceList, sharedSound }: Measured,
): void {
  gauge('parlando_voices', 'Number of voices', () => voiceList.list().length)
  gauge('process_resident_memory_bytes', 'Resident memory of the process', () =>
    process.memoryUsage.rss(),
  )
  gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970', () =>
    Math.round(performance.timeOrigin / 1000),
  )
  if (!sharedSound) return
  counterBy(
    'result',
    'parlando_kept_sound_total',
    'Requests whose sound may be kept: whether it was found in the store, joined to another one, or made',
    () => Object.entries(sharedSound.figures),
  )
}
