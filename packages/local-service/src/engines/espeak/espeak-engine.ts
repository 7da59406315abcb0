import { programPath } from '../../program-path.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import { findPackage } from '../find-package.ts'
import { openSpeaker } from '../process/supervisor.ts'
import { silentTextReason } from '../silent-text.ts'
import type { EspeakInfo, EspeakPhrase } from './espeak-program.ts'
import { toEngineVoices } from './espeak-voices.ts'

export interface EspeakEngineOptions {
  /** The main file of `@echogarden/espeak-ng-emscripten`, which the user has installed. */
  packagePath: string
  /** Whether recently used voices speak before a new process is ready. Default true. */
  warmUp?: boolean
  /** Receives the reason if espeak-ng does not start or fails. */
  warn(message: string): void
}

const maxPhraseCharacters = 200
const phraseLimitMs = 10_000
const maxGrowthBytes = 256 * 1024 * 1024
// The number of voices that the program keeps loaded.
const maxWarmVoices = 4

/** An optional engine: it starts when the user has installed its package. */
export const espeak = defineEngine({
  name: 'espeak',
  options: {},
  start({ enginesFolder, dataFolder, warmUp, warn }) {
    const folders = [enginesFolder, dataFolder]
    const packagePath = findPackage('@echogarden/espeak-ng-emscripten', folders)
    return packagePath ? createEspeakEngine({ packagePath, warmUp, warn }) : undefined
  },
})

/**
 * espeak-ng in a separate process: a robot voice for more than a hundred languages. It is licensed under the GPL, so it
 * is not a dependency of this package and is not loaded into this process.
 * @returns `undefined` if it does not start; `warn` receives the reason.
 */
export async function createEspeakEngine(
  options: EspeakEngineOptions,
): Promise<Engine | undefined> {
  const { packagePath, warmUp = true, warn } = options
  // Recently used voices, the latest last. A new process warms them up.
  const used = new Set(['en-us'])
  const speaker = await openSpeaker<EspeakInfo, EspeakPhrase>({
    name: 'espeak-ng',
    programPath: programPath('espeak-program'),
    programArguments: () => [packagePath, ...(warmUp ? [...used].slice(-maxWarmVoices) : [])],
    phraseLimitMs,
    maxGrowthBytes,
    warn,
  }).catch(({ message }: Error) => {
    warn(`espeak-ng at ${packagePath} does not start, so its voices are not offered: ${message}`)
    return undefined
  })
  if (!speaker) return undefined

  return {
    name: 'espeak',
    sampleRateHertz: speaker.info.sampleRateHertz,
    voices: toEngineVoices(speaker.info.voices),
    slots: 1,
    timesWords: true,
    // The first sound is fast for any length, so a phrase may hold several sentences and keep their melody.
    phraseLimits: {
      firstCharacters: maxPhraseCharacters,
      laterCharacters: maxPhraseCharacters,
      acrossSentences: true,
    },
    unsupportedReason,
    async speakPhrase({ voice, text, withWords, signal, onSound }: PhraseRequest) {
      used.delete(voice)
      used.add(voice)
      await speaker.speak({ code: voice, text, withWords }, signal, onSound)
    },
    close: speaker.close,
  }
}

/** Unlike the other engines, espeak-ng speaks emoji by their names. */
function unsupportedReason(text: string): string | undefined {
  return /\p{Extended_Pictographic}/u.test(text) ? undefined : silentTextReason(text)
}
