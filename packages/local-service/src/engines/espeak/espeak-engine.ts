import { programPath } from '../../program-path.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import { openSpeaker } from '../process/supervisor.ts'
import { silentTextReason } from '../silent-text.ts'
import type { EspeakInfo, EspeakPhrase } from './espeak-program.ts'
import { toEngineVoices } from './espeak-voices.ts'

export interface EspeakEngineOptions {
  /** The main file of `@echogarden/espeak-ng-emscripten`, where the user installed it. */
  packagePath: string
  /** Hears why there are no voices of it, and when it failed. */
  warn(message: string): void
}

const maxPhraseCharacters = 200
const phraseLimitMs = 10_000
const maxGrowthBytes = 256 * 1024 * 1024
// As many as the program keeps loaded.
const maxWarmVoices = 4

/**
 * espeak-ng in a process of its own: a robot voice for more than a hundred languages. It is under the GPL, so it is no
 * part of this package and is not loaded into its process; it is there when the user installed it.
 * @returns `undefined` when it does not start; `warn` hears why.
 */
export async function createEspeakEngine(
  options: EspeakEngineOptions,
): Promise<Engine | undefined> {
  const { packagePath, warn } = options
  // The voices asked for, the latest last: they are warmed when the process has to be started again.
  const used = new Set(['en-us'])
  const speaker = await openSpeaker<EspeakInfo, EspeakPhrase>({
    name: 'espeak-ng',
    programPath: programPath('espeak-program'),
    programArguments: () => [packagePath, ...[...used].slice(-maxWarmVoices)],
    phraseLimitMs,
    maxGrowthBytes,
    warn,
  }).catch(({ message }: Error) => {
    warn(`espeak-ng at ${packagePath} does not start, its voices are not offered: ${message}`)
    return undefined
  })
  if (!speaker) return undefined

  return {
    name: 'espeak',
    sampleRateHertz: speaker.info.sampleRateHertz,
    voices: toEngineVoices(speaker.info.voices),
    slots: 1,
    timesWords: true,
    // Its first sound comes at once, however long the phrase; so its melody may go through whole sentences.
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
