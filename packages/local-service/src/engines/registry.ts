import type { Engine } from './engine.ts'
import { createFliteEngine } from './flite/flite-engine.ts'

/** Every engine by its name; each resolves when its voices are warm. */
export const engines: Readonly<Record<string, () => Promise<Engine>>> = {
  flite: createFliteEngine,
}
