import { programPath } from '../../processes/program.ts'
import { openWhenInstalled } from '../../recognisers/pocketsphinx/find-pocketsphinx.ts'
import { DetectorProcess } from '../process/detector-process.ts'
import {
  type DetectorModel,
  defineWakeWordDetector,
  type PhraseSearch,
  type WakeWordDetector,
} from '../wake-word-detector.ts'

const models: readonly DetectorModel[] = [
  {
    modelId: 'pocketsphinx/en-us',
    displayName: 'Any English phrase (pocketsphinx)',
    langCodes: ['EN_US'],
    isRough: true,
  },
]

// Each takes 28 MB, and 3 % of a core while somebody speaks.
const maxStreams = 8

/** The detector of the system's packages `pocketsphinx` and `pocketsphinx-en-us`, if they are installed. */
export const pocketsphinx = defineWakeWordDetector({
  name: 'pocketsphinx',
  options: {},
  start: async ({ warn }) => createPocketsphinxDetector(warn),
})

/**
 * Searches for a phrase among all sounds of the language, in a process of its own as the recogniser.
 * @param warn receives failures of the process.
 */
function createPocketsphinxDetector(warn: (message: string) => void): WakeWordDetector {
  const program = openWhenInstalled(
    (files) =>
      new DetectorProcess<PhraseSearch>({
        name: 'The wake word detector pocketsphinx',
        programPath: programPath('pocketsphinx-phrase-program'),
        readArguments: () => [JSON.stringify(files)],
        maxStreams,
        warn,
      }),
  )

  return {
    name: 'pocketsphinx',
    get models() {
      return program.get() ? models : []
    },
    open: async ({ phrases, sensitivity, signal }) =>
      program.get()!.open({ phrases, sensitivity }, signal),
    close: () => program.close(),
  }
}
