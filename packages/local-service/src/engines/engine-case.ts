import type { EngineContext } from './define-engine.ts'

/** Prepares an engine for the shared tests: the default export of the optional `<name>/<name>.case.ts`. */
export type EngineCase = () => Promise<
  Partial<EngineContext> & {
    /** Releases what the case has opened. */
    close?(): Promise<void>
  }
>
