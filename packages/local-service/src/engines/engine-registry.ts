import { joinOptions, pickOptions, type StartContext } from '../config/definitions.ts'
import type { OptionValues } from '../config/option.ts'
import type { EngineDefinition } from './define-engine.ts'
import type { Engine } from './engine.ts'
import { espeak } from './espeak/espeak-engine.ts'
import { flite } from './flite/flite-engine.ts'
import { hibari } from './hibari/hibari-engine.ts'
import { openai } from './openai/openai.ts'
import { upstream } from './parlando/parlando.ts'
import { pico } from './pico/pico-engine.ts'
import { piper } from './piper/piper.ts'
import { Scheduler } from './schedule/scheduler.ts'
import { sherpa } from './sherpa/sherpa-engine.ts'
import { wyoming } from './wyoming/wyoming.ts'

/** Every engine. The options of the service, `--help` and the shared tests are derived from this list. */
const definitions = [flite, hibari, pico, upstream, openai, piper, wyoming, espeak, sherpa] as const

export const engineDefinitions: readonly EngineDefinition[] = definitions

/** The options of all engines. */
export const engineOptions = joinOptions(definitions)

/** An engine and the scheduler of its phrases. */
export interface RunningEngine {
  engine: Engine
  scheduler: Scheduler
}

/** The running engines by name. An engine that finds its first model later is added. */
export type RunningEngines = ReadonlyMap<string, RunningEngine>

export interface EngineStartOptions
  extends OptionValues<typeof engineOptions>,
    Omit<StartContext, 'options'> {
  /** The limit of each engine; above it, new requests are rejected. */
  maxWaitingPhrases: number
}

/** @throws {Error} if an engine that is not optional fails to start. The others are closed. */
export async function startEngines(
  options: EngineStartOptions,
): Promise<Map<string, RunningEngine>> {
  const settled = await Promise.allSettled(
    engineDefinitions.map((definition) => startEngine(definition, options)),
  )
  const engines = settled.flatMap((start) => (start.status === 'fulfilled' && start.value) || [])
  const running = new Map(engines.map((running) => [running.engine.name, running]))
  const failed = settled.find(({ status }) => status === 'rejected')
  if (!failed) return running
  await closeEngines(running)
  throw (failed as PromiseRejectedResult).reason
}

async function startEngine(
  definition: EngineDefinition,
  options: EngineStartOptions,
): Promise<RunningEngine | undefined> {
  const engine = await definition.start({
    ...options,
    options: pickOptions(definition, { ...options }),
  })
  if (!engine) return undefined
  return {
    engine,
    scheduler: new Scheduler(engine.slots, options.maxWaitingPhrases, engine.canInterrupt),
  }
}

/** Offers the voices of models that were installed since the start, and no longer those of removed ones. */
export async function refreshEngines(
  engines: Map<string, RunningEngine>,
  options: EngineStartOptions,
): Promise<void> {
  for (const definition of engineDefinitions) {
    const { name, refresh } = definition
    const current = engines.get(name)
    if (!refresh) continue
    if (current) await refresh(current.engine)
    else {
      const started = await startEngine(definition, options)
      if (started) engines.set(name, started)
    }
  }
}

export async function closeEngines(engines: RunningEngines): Promise<void> {
  await Promise.all([...engines.values()].map(({ engine }) => engine.close()))
}
