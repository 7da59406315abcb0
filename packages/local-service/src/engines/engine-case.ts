import type { EngineContext } from './define-engine.ts'

/** What an engine needs to start in the shared tests: the default export of `<name>/<name>.case.ts`, if it needs any. */
export type EngineCase = () => Promise<
  Partial<EngineContext> & {
    /** Releases what the case has opened. */
    close?(): Promise<void>
  }
>
