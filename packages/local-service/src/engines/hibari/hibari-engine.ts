import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type { SpelledWord } from '../../text/spell-out/spell-out.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine, EngineVoice, PhraseRequest, SpokenWord } from '../engine.ts'
import {
  plainText,
  skippedCharacters,
  spellOutEnglish,
  unsupportedReason,
  wordsAsWritten,
} from '../english-text.ts'
import { SpeakingThread } from '../threads/speaking-thread.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import type { HibariPhrase } from './hibari-worker.ts'
import type { SpokenPiece, WordTimes } from './speak-phrase.ts'
import { sampleRateHertz } from './vocoder.ts'

const voices = [
  {
    name: 'heart',
    langCode: 'EN_US',
    voice: {
      voiceId: 'Heart',
      displayName: 'Heart',
      description: 'American woman, warm and natural',
      langCode: 'EN_US',
      source: 'SYSTEM',
      categories: ['local'],
      gender: 'female',
      ageGroup: 'adult',
      tags: ['american', 'natural', 'warm'],
    },
  },
] satisfies EngineVoice[]
const maxIdleMs = 10 * 60_000

/** Natural voices of small networks, whose data is a package of its own. */
export const hibari = defineEngine({
  name: 'hibari',
  options: {},
  start: createHibariEngine,
})

/**
 * Hibari: voices of 6 million weights, distilled from Kokoro-82M (Apache-2.0). The networks are written down here, instead of
 * being run by a general library: its memory would be three times as large, and a phrase could not be heard before its end is
 * made. Without the package of voices, the engine has none.
 */
async function createHibariEngine(): Promise<Engine> {
  const folder = findVoices()
  const slots = Math.max(1, availableParallelism() - 1)
  const pool = new ThreadPool<HibariPhrase, SpokenPiece>({
    start: () =>
      new SpeakingThread({
        program: 'hibari-worker',
        data: folder,
        resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
      }),
    maxThreads: slots,
    maxIdleMs,
  })
  return {
    name: 'hibari',
    sampleRateHertz,
    voices: folder ? voices : [],
    slots,
    timesWords: true,
    unsupportedReason,
    skippedCharacters,
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    spellOut: (sentence, _voice, before) => spellOutEnglish(sentence, { dayFirst: false, before }),
    async speakPhrase({ voice, text, words, withWords, signal, onSound }: PhraseRequest) {
      const spoken = words ?? wordsAsWritten(text)
      const passOn = ({ samples, times }: SpokenPiece) => {
        if (signal.aborted) return
        onSound(times && withWords ? { samples, words: nameWords(spoken, times) } : { samples })
      }
      await pool.speak({ voice, text: textOf(spoken) }, passOn, signal)
      signal.throwIfAborted()
    },
    close: () => pool.close(),
  }
}

/** The folder of the package of voices, if it is installed. It contains data, no code. */
function findVoices(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('@parlando/voices/package.json'))
  } catch {
    return undefined
  }
}

const textOf = (words: readonly SpelledWord[]) =>
  words.map(({ spoken }) => plainText(spoken)).join(' ')

/** @returns each word as written, from the first to the last of the words that are spoken for it. */
function nameWords(spelled: readonly SpelledWord[], times: readonly WordTimes[]): SpokenWord[] {
  let from = 0
  return spelled.flatMap(({ written, spoken }) => {
    const to = from + spoken.split(/\s+/).filter((part) => part !== '').length
    const own = times.filter(({ place }) => place >= from && place < to)
    from = to
    const [first] = own
    // A long word without its written form began in an earlier phrase.
    if (!first || written === '') return []
    return [{ text: written, startSeconds: first.startSeconds, endSeconds: own.at(-1)!.endSeconds }]
  })
}
