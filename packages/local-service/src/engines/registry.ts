import { createScheduler, type Scheduler } from '../speech/scheduler.ts'
import type { Engine } from './engine.ts'
import { createFliteEngine } from './flite/flite-engine.ts'

/** Every engine by its name; each resolves when its voices are warm. */
export const registry: Readonly<Record<string, () => Promise<Engine>>> = {
  flite: createFliteEngine,
}

/** An engine and the order in which its phrases are spoken. */
export interface RunningEngine {
  engine: Engine
  scheduler: Scheduler
}

export type RunningEngines = ReadonlyMap<string, RunningEngine>

/** @param options.maxWaitingPhrases of each engine; requests that come on top are refused. */
export async function startEngines(options: {
  maxWaitingPhrases: number
}): Promise<RunningEngines> {
  const started = Object.entries(registry).map(async ([name, start]) => {
    const engine = await start()
    return [
      name,
      { engine, scheduler: createScheduler(engine.slots, options.maxWaitingPhrases) },
    ] as const
  })
  return new Map(await Promise.all(started))
}

export async function closeEngines(engines: RunningEngines): Promise<void> {
  await Promise.all([...engines.values()].map(({ engine }) => engine.close()))
}
