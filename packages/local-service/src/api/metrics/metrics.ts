import type { RunningEngine, RunningEngines } from '../../engines/registry.ts'
import type { FinishedRequest } from '../../http/observe.ts'
import type { Catalogue } from '../../voices/catalogue.ts'

/** Figures about the service since its start. */
export interface Metrics {
  /** Counts a request that is over. */
  count(finished: FinishedRequest): void
  /** All figures as Prometheus reads them, and the media type of that text. */
  write(): Promise<{ text: string; contentType: string }>
}

/** What the figures are taken from at the moment they are asked for. */
export interface Measured {
  engines: RunningEngines
  catalogue: Catalogue
}

/** A listener notices from some 200 ms on; the first sound of a short text is there after some 20. */
const firstAudioSeconds = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10]

export async function createMetrics({ engines, catalogue }: Measured): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]

  const requests = new Counter({
    name: 'parlando_requests_total',
    help: 'Requests that are over, by route and HTTP status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const firstAudio = new Histogram({
    name: 'parlando_first_audio_seconds',
    help: 'From the arrival of a request to its first piece of encoded sound, by model',
    labelNames: ['model'],
    buckets: firstAudioSeconds,
    registers,
  })
  const audio = new Counter({
    name: 'parlando_audio_seconds_total',
    help: 'Seconds of sound made, by model',
    labelNames: ['model'],
    registers,
  })
  const characters = new Counter({
    name: 'parlando_characters_total',
    help: 'Characters of text that were asked to be spoken, by model',
    labelNames: ['model'],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('parlando_voices', 'Voices that can be spoken with', () => catalogue.list().length)
  gauge('process_resident_memory_bytes', 'Memory the process holds', () =>
    process.memoryUsage.rss(),
  )
  gauge('process_start_time_seconds', 'When the process started, since 1970', () =>
    Math.round(performance.timeOrigin / 1000),
  )
  const perEngine = (name: string, help: string, read: (running: RunningEngine) => number) =>
    new Gauge({
      name,
      help: `${help}, by engine`,
      labelNames: ['engine'],
      registers,
      collect() {
        for (const [engine, running] of engines) this.set({ engine }, read(running))
      },
    })
  perEngine(
    'parlando_waiting_phrases',
    'Phrases that wait for their turn',
    ({ scheduler }) => scheduler.waiting,
  )
  perEngine(
    'parlando_running_phrases',
    'Phrases that are being spoken',
    ({ scheduler }) => scheduler.running,
  )
  perEngine(
    'parlando_engine_threads',
    'Threads that speak or are ready to',
    ({ engine }) => engine.threads?.alive ?? 0,
  )
  perEngine(
    'parlando_engine_threads_replaced',
    'Threads that broke down, hung or grew too large since the start, and made way for new ones',
    ({ engine }) => engine.threads?.replaced ?? 0,
  )

  return {
    count({ method, route, status, speech }) {
      requests.inc({ method, route, status })
      if (!speech) return
      const model = speech.modelId
      characters.inc({ model }, speech.characters)
      audio.inc({ model }, speech.audioSeconds)
      if (speech.firstAudioMs !== undefined)
        firstAudio.observe({ model }, speech.firstAudioMs / 1000)
    },
    async write() {
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}
