import { availableParallelism } from 'node:os'
import { totalMemory } from '../../machine/resources.ts'
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

const maxSlots = 8
// A speaker takes 0.4 of a core; one for whom no core is left takes 0.13.
const slotsPerCore = 4
// Any words take 80 MB, and sentences 30 MB.
const bytesPerSlot = 110 * 1024 * 1024
// Decoders stay for later utterances, also those with other settings. Loading them again takes a third of a second each.
const sizeWithIdleDecoders = 1.5

/** The recogniser of the system's packages `pocketsphinx` and `pocketsphinx-en-us`, if they are installed. */
export const pocketsphinx = defineRecogniser({
  name: 'pocketsphinx',
  options: {},
  start: async ({ warn }) => createPocketsphinxRecogniser({ warn }),
})

/** @returns how many utterances are recognised in parallel, in at most half of the memory. */
export function limitsOf(cores: number, memoryBytes: number) {
  const fitting = Math.max(1, Math.floor(memoryBytes / 2 / bytesPerSlot))
  const slots = Math.min(maxSlots, slotsPerCore * cores, fitting)
  return { slots, maxGrowthBytes: sizeWithIdleDecoders * slots * bytesPerSlot }
}

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
        ...limitsOf(availableParallelism(), totalMemory()),
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
