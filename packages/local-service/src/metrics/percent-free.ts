import type { RunningEngines } from '../engines/engine-registry.ts'

/** @returns the share of the requests that the engines can take: half of it if as many phrases wait as run at once. */
export function percentFree(engines: RunningEngines): number {
  const loads = [...engines.values()].map(({ engine, scheduler }) => {
    const atOnce = Math.max(1, engine.threads?.alive ?? scheduler.running)
    return scheduler.waiting / atOnce
  })
  return Math.max(1, Math.round(100 / (1 + Math.max(0, ...loads))))
}
