import type { RecogniserContext } from './define-recogniser.ts'

/** Prepares a recogniser for the shared tests: the default export of the optional `<name>/<name>.case.ts`. */
export type RecogniserCase = () => Promise<
  Partial<RecogniserContext> & {
    /** Releases what the case has opened. */
    close?(): Promise<void>
  }
>
