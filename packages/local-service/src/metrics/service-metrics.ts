import type { Registry } from 'prom-client'
import type { EngineModel } from '../engines/engine.ts'
import type { RunningEngine, RunningEngines } from '../engines/engine-registry.ts'
import type { FinishedRequest } from '../server/observability/finished-request.ts'
import type { VoiceList } from '../voices/voice-list.ts'
import { addJobMetrics, type JobFigures } from './job-metrics.ts'
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

/** Buckets. Listeners notice about 200 ms; the first audio of a short text takes about 20 ms. */
const firstAudioSeconds = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10]

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

type Library = typeof import('prom-client')

async function openMetrics(
  measured: Measured,
  sockets: SocketCounts,
): Promise<Omit<Metrics, 'sockets'>> {
  const library = await import('prom-client')
  const registry = new library.Registry()
  addSocketMetrics(library, registry, sockets)
  const count = addRequestMetrics(library, [registry])
  addServiceMetrics(library, [registry], measured)
  addStoreMetrics(library, registry, measured.voiceList.store)
  if (measured.sharedSound) addKeptMetrics(library, [registry], measured.sharedSound.figures)
  if (measured.jobs) addJobMetrics(library, registry, measured.jobs)
  addEngineMetrics(library, [registry], measured)
  addModelMetrics(library, [registry], measured)
  return {
    count,
    async write() {
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

/** @returns counts a finished request. */
function addRequestMetrics(
  { Counter, Histogram }: Library,
  registers: Registry[],
): (finished: FinishedRequest) => void {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `parlando_${name}_total`, help, labelNames, registers })
  const requests = counter(
    'requests',
    'Finished requests, by route and HTTP status',
    'method',
    'route',
    'status',
  )
  const firstAudio = new Histogram({
    name: 'parlando_first_audio_seconds',
    help: 'Time from the arrival of a request to its first encoded audio, by model',
    labelNames: ['model'],
    buckets: firstAudioSeconds,
    registers,
  })
  const audio = counter('audio_seconds', 'Seconds of audio produced, by model', 'model')
  const characters = counter('characters', 'Characters of requested text, by model', 'model')
  const transcribed = counter(
    'transcribed_seconds',
    'Seconds of audio transcribed, by model',
    'model',
  )
  const transcriptions = counter('transcriptions', 'Transcribed recordings, by model', 'model')
  const ignoredFields = counter(
    'ignored_fields',
    'Fields of requests that the service ignored, by route',
    'route',
  )
  return ({ method, route, status, speech, transcription, ignored }) => {
    requests.inc({ method, route, status })
    if (ignored) ignoredFields.inc({ route }, ignored.length)
    if (transcription) {
      transcriptions.inc({ model: transcription.modelId })
      transcribed.inc({ model: transcription.modelId }, transcription.seconds)
    }
    if (!speech) return
    const model = speech.modelId
    characters.inc({ model }, speech.characters)
    audio.inc({ model }, speech.audioSeconds)
    if (speech.firstAudioMs !== undefined) firstAudio.observe({ model }, speech.firstAudioMs / 1000)
  }
}

function addServiceMetrics(
  { Gauge }: Library,
  registers: Registry[],
  { voiceList }: Measured,
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('parlando_voices', 'Number of voices', () => voiceList.list().length)
  gauge('process_resident_memory_bytes', 'Resident memory of the process', () =>
    process.memoryUsage.rss(),
  )
  gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970', () =>
    Math.round(performance.timeOrigin / 1000),
  )
}

function addEngineMetrics(
  { Counter, Gauge }: Library,
  registers: Registry[],
  { engines }: Measured,
): void {
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
  perEngine('parlando_waiting_phrases', 'Waiting phrases', ({ scheduler }) => scheduler.waiting)
  perEngine('parlando_running_phrases', 'Running phrases', ({ scheduler }) => scheduler.running)
  perEngine('parlando_speaking_texts', 'Texts being spoken', ({ scheduler: { load } }) => {
    return load.admitted
  })
  new Counter({
    name: 'parlando_rejected_texts_total',
    help: 'Texts that were rejected because speech would have had gaps, by engine',
    labelNames: ['engine'],
    registers,
    collect() {
      this.reset()
      for (const [engine, { scheduler }] of engines) this.inc({ engine }, scheduler.load.rejected)
    },
  })
  perEngine(
    'parlando_engine_threads',
    'Running threads',
    ({ engine }) => engine.threads?.alive ?? 0,
  )
  perEngine(
    'parlando_engine_threads_replaced',
    'Threads that were replaced since the start because they crashed, hung or grew too large',
    ({ engine }) => engine.threads?.replaced ?? 0,
  )
}

function addKeptMetrics(
  { Counter }: Library,
  registers: Registry[],
  figures: Readonly<Record<string, number>>,
): void {
  new Counter({
    name: 'parlando_kept_sound_total',
    help: 'Requests whose sound may be kept: found in the store, joined to another one, or made',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(figures)) this.inc({ result }, count)
    },
  })
}

function addModelMetrics({ Gauge }: Library, registers: Registry[], { engines }: Measured): void {
  const perModel = (name: string, help: string, read: (model: EngineModel) => number) =>
    new Gauge({
      name,
      help: `${help}, by engine and model`,
      labelNames: ['engine', 'model'],
      registers,
      collect() {
        // Models can be removed.
        this.reset()
        for (const [name, { engine }] of engines) {
          for (const model of engine.models ?? [])
            this.set({ engine: name, model: model.name }, read(model))
        }
      },
    })
  perModel('parlando_model_loaded', 'Whether the model is in memory', ({ isLoaded }) =>
    Number(isLoaded),
  )
  perModel(
    'parlando_model_memory_bytes',
    'Memory of the process of the model when it was last measured',
    ({ memoryBytes }) => memoryBytes,
  )
  perModel(
    'parlando_model_real_time_factor',
    'Seconds that the model takes for a second of speech; not a number until it has spoken',
    ({ realTimeFactor }) => realTimeFactor ?? Number.NaN,
  )
}
