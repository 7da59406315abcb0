import type { StartContext } from '../config/definitions.ts'

/** Prepares a recogniser for the shared tests: the default export of `<name>/<name>.test-case.ts`. */
export type RecogniserCase = () => Promise<
  Partial<StartContext> & {
    /** What the recogniser understands. Default: an English sentence. */
    utterance?: { samples: Int16Array; text: RegExp }
    /** Releases what the case has opened. */
    close?(): Promise<void>
  }
>
