import type { Registry } from 'prom-client'
import type { EngineModel } from '../engines/engine.ts'
import type { RunningEngine, RunningEngines } from '../engines/engine-registry.ts'
import { createScrapeCounters } from './scrape-counters.ts'

/** @returns the share of the requests that the engines can take: half of it if as many phrases wait as run at once. */
export function percentFree(engines: RunningEngines): number {
  const loads = [...engines.values()].map(({ engine, scheduler }) => {
    const atOnce = Math.max(1, engine.threads?.alive ?? scheduler.running)
    return scheduler.waiting / atOnce
  })
  return Math.max(1, Math.round(100 / (1 + Math.max(0, ...loads))))
}

/** Adds the metrics of engines and of their models, which are read on each scrape. */
export function addEngineMetrics(
  library: typeof import('prom-client'),
  registry: Registry,
  engines: RunningEngines,
): void {
  const { Gauge } = library
  const registers = [registry]
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
  createScrapeCounters(library, registry).counterBy(
    'engine',
    'parlando_rejected_texts_total',
    'Texts that were rejected because speech would have had gaps',
    () => Array.from(engines, ([name, { scheduler }]) => [name, scheduler.load.rejected] as const),
  )
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
  addModelMetrics(library, registry, engines)
}

function addModelMetrics(
  { Gauge }: typeof import('prom-client'),
  registry: Registry,
  engines: RunningEngines,
): void {
  const perModel = (name: string, help: string, read: (model: EngineModel) => number) =>
    new Gauge({
      name,
      help: `${help}, by engine and model`,
      labelNames: ['engine', 'model'],
      registers: [registry],
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
