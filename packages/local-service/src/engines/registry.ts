import type { Engine } from './engine.ts'
import { createEspeakEngine } from './espeak/espeak-engine.ts'
import { findPackage } from './find-package.ts'
import { createFliteEngine } from './flite/flite-engine.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { createSherpaEngine } from './sherpa/sherpa-engine.ts'
import { createUpstreamEngine } from './upstream/upstream-engine.ts'

/** What decides which engines there are. */
export interface EngineSettings {
  /** Address of another speech service, and the key it wants. Default: none. */
  upstream?: string
  upstreamKey?: string
  /** Where voices are kept; packages for optional engines are looked for there too. Default: none. */
  dataFolder?: string
  /** Folder with models for sherpa-onnx. Default: none. */
  sherpaModels?: string
  /** Whether engines speak before they are ready, so that the first request is fast. Default true. */
  warmUp?: boolean
  /** Hears what an engine does without. */
  warn(message: string): void
}

type StartEngine = (settings: EngineSettings) => Promise<Engine | undefined> | undefined

/**
 * Every engine by its name. Each resolves when its voices are warm, and gives none where nobody asked for it or where
 * it is optional and does not start.
 */
export const registry: Readonly<Record<string, StartEngine>> = {
  flite: createFliteEngine,
  upstream: ({ upstream, upstreamKey, warn }) =>
    upstream ? createUpstreamEngine({ baseUrl: upstream, apiKey: upstreamKey, warn }) : undefined,
  espeak({ dataFolder, warn }) {
    const packagePath = findPackage('@echogarden/espeak-ng-emscripten', dataFolder)
    return packagePath ? createEspeakEngine({ packagePath, warn }) : undefined
  },
  sherpa({ sherpaModels: folder, dataFolder, warn }) {
    if (!folder) return undefined
    return createSherpaEngine({
      folder,
      packagePath: findPackage('sherpa-onnx-node', dataFolder),
      warn,
    })
  },
}

/** An engine and the order in which its phrases are spoken. */
export interface RunningEngine {
  engine: Engine
  scheduler: Scheduler
}

export type RunningEngines = ReadonlyMap<string, RunningEngine>

/**
 * @param settings.maxWaitingPhrases of each engine; requests that come on top are refused.
 * @throws {Error} when one does not start; the others are closed again.
 */
export async function startEngines(
  settings: EngineSettings & { maxWaitingPhrases: number },
): Promise<RunningEngines> {
  const starts = Object.values(registry).map((start) => start(settings))
  const settled = await Promise.allSettled(starts)
  const engines = settled.flatMap((start) => (start.status === 'fulfilled' && start.value) || [])
  const running = engines.map((engine) => {
    const scheduler = createScheduler(engine.slots, settings.maxWaitingPhrases)
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
