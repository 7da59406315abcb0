import type { OptionValues } from '../config/option.ts'
import {
  joinOptions,
  type PartDefinition,
  type StartContext,
} from '../part-registry/part-definition.ts'
import {
  closeParts,
  type PartKind,
  refreshParts,
  startParts,
} from '../part-registry/running-parts.ts'
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
export const startEngines = (options: EngineStartOptions): Promise<Map<string, RunningEngine>> =>
  startParts(enginesWith(options), { ...options })

/** Offers the voices of models that were installed since the start, and no longer those of removed ones. */
export const refreshEngines = (
  engines: Map<string, RunningEngine>,
  options: EngineStartOptions,
): Promise<void> => refreshParts(enginesWith(options), engines, { ...options })

const close = ({ engine }: RunningEngine) => engine.close()

export const closeEngines = (engines: RunningEngines): Promise<void> =>
  closeParts({ close }, engines)

/** Each engine starts with its scheduler. */
function enginesWith({
  maxWaitingPhrases,
}: Pick<EngineStartOptions, 'maxWaitingPhrases'>): PartKind<RunningEngine> {
  const withScheduler = (engine: Engine): RunningEngine => ({
    engine,
    scheduler: new Scheduler(engine.slots, maxWaitingPhrases, engine.interruption),
  })
  const toRunning = ({ start, refresh, ...definition }: EngineDefinition) => ({
    ...definition,
    async start(context: StartContext) {
      const engine = await start(context)
      return engine && withScheduler(engine)
    },
    ...(refresh && { refresh: ({ engine }: RunningEngine) => refresh(engine) }),
  })
  const definitions: PartDefinition<RunningEngine>[] = engineDefinitions.map(toRunning)
  return { definitions, isRequired: true, close }
}

/**
 * How much of the requests the engines can take, for a proxy that divides them among services.
 * @returns a percentage from 1 to 100: 50 if as many phrases wait for an engine as it runs at once.
 */
export function percentFree(engines: RunningEngines): number {
  const loads = [...engines.values()].map(({ engine, scheduler }) => {
    const atOnce = Math.max(1, engine.threads?.alive ?? scheduler.running)
    return scheduler.waiting / atOnce
  })
  return Math.max(1, Math.round(100 / (1 + Math.max(0, ...loads))))
}
