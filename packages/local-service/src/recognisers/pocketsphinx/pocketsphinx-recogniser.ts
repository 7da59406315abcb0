import { availableParallelism } from 'node:os'
import { programPath } from '../../processes/program.ts'
import { RecogniserProcess } from '../process/recogniser-process.ts'
import { defineRecogniser, type Recogniser, type RecogniserModel } from '../recogniser.ts'
import { openWhenInstalled, type PocketsphinxFiles } from './find-pocketsphinx.ts'
import type { PocketsphinxUtterance } from './pocketsphinx-program.ts'

export interface PocketsphinxOptions {
  /** Finds the installed files. Default: those of the system. */
  find?(): PocketsphinxFiles | undefined
  /** Receives failures of the process. */
  warn(message: string): void
}

const models: readonly RecogniserModel[] = [
  {
    modelId: 'pocketsphinx/en-us',
    displayName: 'US English (pocketsphinx)',
    langCodes: ['EN_US'],
    hasInterimResults: true,
    timesWords: true,
    matchesSentences: true,
    // The user waits while it searches the silence.
    finalSilenceMs: 200,
  },
]

// Any words take up to a third of a core while a person speaks, and 95 MB. Sentences take 30 MB.
const maxSlots = 4
const slotsPerCore = 2
const maxGrowthBytes = 768 * 1024 * 1024

/** The recogniser of the system's packages `pocketsphinx` and `pocketsphinx-en-us`, if they are installed. */
export const pocketsphinx = defineRecogniser({
  name: 'pocketsphinx',
  options: {},
  start: async ({ warn }) => createPocketsphinxRecogniser({ warn }),
})

/**
 * pocketsphinx in a separate process, because a fault of a native library ends its process. The process takes 160 MB of
 * memory, so it starts with the first utterance.
 */
export function createPocketsphinxRecogniser({ find, warn }: PocketsphinxOptions): Recogniser {
  const program = openWhenInstalled(
    (files) =>
      new RecogniserProcess<undefined, PocketsphinxUtterance>({
        name: 'pocketsphinx',
        programPath: programPath('pocketsphinx-program'),
        readArguments: () => [JSON.stringify(files)],
        slots: Math.min(maxSlots, slotsPerCore * availableParallelism()),
        maxGrowthBytes,
        warn,
      }),
    find,
  )

  return {
    name: 'pocketsphinx',
    get models() {
      return program.get() ? models : []
    },
    async open({ withWords, isUrgent, sentences, signal, onInterim }) {
      const start = { withWords, isUrgent, withInterim: onInterim !== undefined, sentences }
      return program.get()!.open(start, { signal, onInterim })
    },
    close: () => program.close(),
  }
}
