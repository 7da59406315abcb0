import { availableParallelism } from 'node:os'
import type { StartContext } from '../../config/definitions.ts'
import { findMachineClass } from '../../machine/machine-class.ts'
import { freeMemory } from '../../machine/resources.ts'
import { numbersInWords } from '../../text/spell-out/number-words.ts'
import type { SpelledWord } from '../../text/spell-out/spell-out.ts'
import { findBuiltInVoices } from '../built-in-voices.ts'
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
import { findUnfitReason } from './fit.ts'
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
// A sentence in two phrases sounds like two. The start of a phrase takes 0.5 ms for each letter, its end is made meanwhile.
const natural = { firstCharacters: 70, laterCharacters: 120 }
const phraseLimitsOfModel = {
  'svc-tts-2': natural,
  'svc-tts-1.5-max': natural,
  'svc-tts-2-flash': { firstCharacters: 20, laterCharacters: 120 },
}
/** One speaks for a dozen listeners at a time. Each takes 60 MiB. */
const maxThreads = 2

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
async function createHibariEngine({ dataFolder }: StartContext): Promise<Engine> {
  const folder = findBuiltInVoices()
  const slots = Math.min(maxThreads, Math.max(1, availableParallelism() - 1))
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
  const notDefaultReason = folder && (await findReason(pool, dataFolder))
  return {
    name: 'hibari',
    sampleRateHertz,
    voices: folder
      ? voices.map((one) => ({ ...one, voice: { ...one.voice, notDefaultReason } }))
      : [],
    slots,
    phraseLimitsOfModel,
    timesWords: true,
    unsupportedReason,
    skippedCharacters,
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    // The lists know "eh", which sounds like the letter.
    spellOut: (sentence, _voice, before) =>
      spellOutEnglish(sentence, { dayFirst: false, before, letterA: 'eh' }),
    async speakPhrase({ voice, text, words, withWords, signal, onSound }: PhraseRequest) {
      const spoken = (words ?? wordsAsWritten(text)).map(withoutDigits)
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

type Pool = ThreadPool<HibariPhrase, SpokenPiece>

/** Why no voice of the engine is a default one on this machine. */
async function findReason(pool: Pool, dataFolder?: string): Promise<string | undefined> {
  const { signal } = new AbortController()
  const speed = await findMachineClass()
  return findUnfitReason({
    freeBytes: freeMemory(),
    speed,
    dataFolder,
    async measure() {
      const startedAt = performance.now()
      let samples = 0
      const phrase = { voice: 'heart', text: 'Good morning.' }
      const count = (piece: SpokenPiece) => {
        samples += piece.samples.length
      }
      await pool.speak(phrase, count, signal)
      return (performance.now() - startedAt) / 1000 / (samples / sampleRateHertz)
    },
  })
}

/** Of a word that was too long to be spelled out: the networks know no digits. */
const withoutDigits = (word: SpelledWord): SpelledWord =>
  /\d/.test(word.spoken) ? { ...word, spoken: numbersInWords(word.spoken) } : word

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
