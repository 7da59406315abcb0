import { findPackage } from '../../machine/user-files.ts'
import { programPath } from '../../processes/program.ts'
import { defineEngine } from '../define-engine.ts'
import { type Engine, type PhraseRequest, silentTextReason } from '../engine.ts'
import { spellOutForEnglishVoices } from '../english-text.ts'
import { SpeakerProcess } from '../process/speaker-process.ts'
import type { EspeakInfo, EspeakPhrase } from './espeak-program.ts'
import { espeakVoices } from './espeak-voices.ts'

export interface EspeakEngineOptions {
  /** The main file of `@echogarden/espeak-ng-emscripten`, which the user has installed. */
  packagePath: string
  /** Receives the reason if espeak-ng does not start or fails. */
  warn(message: string): void
}

const maxPhraseCharacters = 200
const phraseLimitMs = 10_000
const maxGrowthBytes = 256 * 1024 * 1024

/** An optional engine: its voices are offered when the user has installed its package. */
export const espeak = defineEngine({
  name: 'espeak',
  options: {},
  async start({ enginesFolder, dataFolder, warn }) {
    const folders = [enginesFolder, dataFolder]
    const packagePath = findPackage('@echogarden/espeak-ng-emscripten', folders)?.path
    return packagePath ? createEspeakEngine({ packagePath, warn }) : undefined
  },
})

/**
 * espeak-ng in a separate process: a robot voice for more than a hundred languages. It is licensed under the GPL, so it
 * is not a dependency of this package and is not loaded into this process. The process takes 140 MiB of memory, so it
 * starts with the first phrase.
 */
export function createEspeakEngine({ packagePath, warn }: EspeakEngineOptions): Engine {
  const speaker = new SpeakerProcess<EspeakInfo, EspeakPhrase>({
    name: 'espeak-ng',
    programPath: programPath('espeak-program'),
    readArguments: () => [packagePath],
    phraseLimitMs,
    maxGrowthBytes,
    warn,
  })

  return {
    name: 'espeak',
    sampleRateHertz: 22_050,
    voices: espeakVoices,
    slots: 1,
    timesWords: true,
    // The first sound is fast for any length, so a phrase may hold several sentences and keep their melody.
    phraseLimits: {
      firstCharacters: maxPhraseCharacters,
      laterCharacters: maxPhraseCharacters,
      acrossSentences: true,
    },
    unsupportedReason,
    ...spellOutForEnglishVoices((voice) => voice),
    async speakPhrase({ voice, text, words, withWords, signal, onSound }: PhraseRequest) {
      await speaker.speak({ code: voice, text, words, withWords }, signal, onSound)
    },
    close: () => speaker.close(),
  }
}

/** Unlike the other engines, espeak-ng speaks emoji by their names. */
function unsupportedReason(text: string): string | undefined {
  return /\p{Extended_Pictographic}/u.test(text) ? undefined : silentTextReason(text)
}
