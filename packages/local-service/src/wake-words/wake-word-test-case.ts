import type { StartContext } from '../config/definitions.ts'

/** Prepares a detector for the shared tests: the default export of `<name>/<name>.test-case.ts`. */
export type WakeWordCase = () => Promise<
  Partial<StartContext> & {
    /** What the detector finds, and somebody who says it. Default: "hey computer", spoken by a voice of Flite. */
    spoken?: { phrase: string; samples: Int16Array }
    /** Releases what the case has opened. */
    close?(): Promise<void>
  }
>
