import type { StartContext } from '../config/definitions.ts'

/** Prepares an engine for the shared tests: the default export of the optional `<name>/<name>.test-case.ts`. */
export type EngineCase = () => Promise<
  Partial<StartContext> & {
    /** Releases what the case has opened. */
    close?(): Promise<void>
  }
>
