import { joinOptions, pickOptions } from '../config/definitions.ts'
import type { OptionValues } from '../config/option.ts'
import type { EngineContext, EngineDefinition } from './define-engine.ts'
import type { Engine } from './engine.ts'
import { espeak } from './espeak/espeak-engine.ts'
import { flite } from './flite/flite-engine.ts'
import { openai } from './openai/openai.ts'
import { piper } from './piper/piper.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { sherpa } from './sherpa/sherpa-engine.ts'
import { upstream } from './upstream/upstream.ts'
import { wyoming } from './wyoming/wyoming.ts'

/** Every engine. The options of the service, `--help` and the shared tests are derived from this list. */
const definitions = [flite, upstream, openai, piper, wyoming, espeak, sherpa] as const

export const engineDefinitions: readonly EngineDefinition[] = definitions

/** The options of all engines. */
export const engineOptions = joinOptions(definitions)

/** An engine and the scheduler of its phrases. */
export interface RunningEngine {
  engine: Engine
  scheduler: Scheduler
}

/** The running engines by name. */
export type RunningEngines = ReadonlyMap<string, RunningEngine>

export interface StartOptions
  extends OptionValues<typeof engineOptions>,
    Omit<EngineContext, 'options'> {
  /** The limit of each engine; above it, new requests are rejected. */
  maxWaitingPhrases: number
}

/** @throws {Error} if an engine that is not optional fails to start. The others are closed. */
export async function startEngines(options: StartOptions): Promise<RunningEngines> {
  const settled = await Promise.allSettled(
    engineDefinitions.map((definition) => {
      return definition.start({ ...options, options: pickOptions(definition, { ...options }) })
    }),
  )
  const engines = settled.flatMap((start) => (start.status === 'fulfilled' && start.value) || [])
  const running = engines.map((engine) => {
    const scheduler = createScheduler(engine.slots, options.maxWaitingPhrases)
    return [engine.name, { engine, scheduler }] as const
  })
  const failed = settled.find(({ status }) => status === 'rejected')
  if (!failed) return new Map(running)
  await closeEngines(new Map(running))
  throw (failed as PromiseRejectedResult).reason
}

export async function closeEngines(engines: RunningEngines): Promise<void> {
  await Promise.all([...engines.values()].map(({ engine }) => engine.close()))
}
