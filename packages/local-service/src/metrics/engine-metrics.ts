import type { EngineModel } from '../engines/engine.ts'
import type { RunningEngine, RunningEngines } from '../engines/engine-registry.ts'
import type { ScrapedMetrics } from './scraped-metrics.ts'

/** Adds the metrics of engines and of their models. */
export function addEngineMetrics(metrics: ScrapedMetrics, engines: RunningEngines): void {
  const perEngine = (name: string, help: string, read: (running: RunningEngine) => number) =>
    metrics.gaugeBy(['engine'], name, help, () =>
      Array.from(engines, ([engine, running]) => [[engine], read(running)] as const),
    )
  perEngine('parlando_waiting_phrases', 'Waiting phrases', ({ scheduler }) => scheduler.waiting)
  perEngine('parlando_running_phrases', 'Running phrases', ({ scheduler }) => scheduler.running)
  perEngine('parlando_speaking_texts', 'Texts being spoken', ({ scheduler: { load } }) => {
    return load.admitted
  })
  const countPerEngine = (name: string, help: string, read: (running: RunningEngine) => number) =>
    metrics.counterBy('engine', name, help, () =>
      Array.from(engines, ([engine, running]) => [engine, read(running)] as const),
    )
  countPerEngine(
    'parlando_rejected_texts_total',
    'Texts that were rejected because speech would have had gaps',
    ({ scheduler }) => scheduler.load.rejected,
  )
  perEngine(
    'parlando_engine_threads',
    'Running threads',
    ({ engine }) => engine.threads?.alive ?? 0,
  )
  countPerEngine(
    'parlando_engine_threads_replaced_total',
    'Threads that were replaced because they crashed, hung or grew too large',
    ({ engine }) => engine.threads?.replaced ?? 0,
  )
  addModelMetrics(metrics, engines)
}

function addModelMetrics(metrics: ScrapedMetrics, engines: RunningEngines): void {
  const perModel = (name: string, help: string, read: (model: EngineModel) => number) =>
    metrics.gaugeBy(['engine', 'model'], name, help, () =>
      [...engines].flatMap(([name, { engine }]) =>
        (engine.models ?? []).map((model) => [[name, model.name], read(model)] as const),
      ),
    )
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
