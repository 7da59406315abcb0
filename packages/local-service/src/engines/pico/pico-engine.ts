import { availableParallelism } from 'node:os'
import { joinSamples } from '../../audio/signal.ts'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import { languages, spellLanguage } from '../../text/spell-out/languages/spell-language.ts'
import type { SpelledWord } from '../../text/spell-out/word.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine, EngineVoice, PhraseRequest } from '../engine.ts'
import { findSkipped, findUnsupported, plainText, spellOutEnglish } from '../english-text.ts'
import type { PieceOfSound } from '../threads/serve-phrases.ts'
import { SpeakingThread } from '../threads/speaking-thread.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { estimateWordTimes } from './estimate-word-times.ts'
import { sampleRateHertz } from './open-pico.ts'
import type { PicoPhrase } from './pico-worker.ts'

/** Name, accent, language, and the maker's name of the speaker, by the language code. */
const speakers: Readonly<Record<string, readonly [string, string, string, string]>> = {
  'de-DE': ['Greta', 'German', 'German', 'gl0'],
  'fr-FR': ['Margot', 'French', 'French', 'nk0'],
  'it-IT': ['Bianca', 'Italian', 'Italian', 'cm0'],
  'es-ES': ['Lucia', 'Spanish', 'Spanish', 'zl0'],
  'en-GB': ['Harriet', 'British', 'English', 'kh0'],
}

const voices: readonly EngineVoice[] = Object.entries(speakers).map(([code, [name, accent]]) => {
  const langCode = code.toUpperCase().replace('-', '_')
  const voice = {
    voiceId: name,
    displayName: name,
    description: `${accent} woman, clear but audibly synthetic: SVOX Pico of 2009, under the Apache License 2.0`,
    langCode,
    source: 'SYSTEM',
    categories: ['local'],
    gender: 'female',
    ageGroup: 'adult',
    tags: [accent.toLowerCase(), 'synthetic', 'fast'],
  }
  return { name: code, langCode, voice }
})
const maxIdleMs = 10 * 60_000

/** Voices for German, French, Italian, Spanish and British English, whose data is a package of its own. */
export const pico = defineEngine({ name: 'pico', options: {}, start: createPicoEngine })

/**
 * SVOX Pico in WebAssembly: statistical voices of Android's early years, 1 MB each, a tenth of what a natural voice takes.
 * Without the package of voices, the engine has none. It reports no times of words, so these are estimated.
 */
async function createPicoEngine(): Promise<Engine> {
  const folder = findBuiltInData('pico')
  const slots = Math.max(1, availableParallelism() - 1)
  const pool = new ThreadPool<PicoPhrase, PieceOfSound>({
    start: () =>
      new SpeakingThread({
        program: 'pico-worker',
        data: folder,
        resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
      }),
    maxThreads: slots,
    maxIdleMs,
  })
  return {
    name: 'pico',
    sampleRateHertz,
    voices: folder ? voices : [],
    slots,
    timesWords: true,
    unsupportedReason: (text, voice) => findUnsupported(text, latinText, speakers[voice]![2]),
    skippedCharacters: (text) => findSkipped(text, latinText),
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    spellOut(sentence, voice, before) {
      const language = languages[voice.slice(0, 2)]
      return language
        ? spellLanguage(language, sentence, before)
        : spellOutEnglish(sentence, { dayFirst: true, before })
    },
    async speakPhrase({ voice, text, words, withWords, signal, onSound }: PhraseRequest) {
      const speaker = speakers[voice]![3]
      const files = [`${voice}_ta.bin`, `${voice}_${speaker}_sg.bin`]
      const pieces: Float32Array[] = []
      const passOn = ({ samples }: PieceOfSound) => {
        if (withWords) pieces.push(samples)
        else if (!signal.aborted) onSound({ samples })
      }
      const phrase = { files, text: cutWords(latinText(text)) }
      await pool.run({ phrase, onSound: passOn, signal })
      signal.throwIfAborted()
      if (!withWords) return
      const samples = joinSamples(pieces)
      onSound({ samples, words: estimateWordTimes(words ?? wordsOf(text), samples) })
    },
    close: () => pool.close(),
  }
}

function wordsOf(text: string): SpelledWord[] {
  return Array.from(text.matchAll(/\S+/g), ([written]) => ({ written, spoken: latinText(written) }))
}

/** What Pico reads: ASCII without the beginning of a command, and the letters of Western Europe. */
const foreign = /[^\x20-;=?-~À-ÖØ-öø-ÿœŒ]+/gu

/** Replaces characters with their names or the nearest ones that Pico reads, because it drops all others. */
function latinText(text: string): string {
  return text
    .normalize('NFC')
    .replace(foreign, (run) => plainText(run).replace(/[<>]/g, '') || ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Pico crashes on longer words: on 100 digits, and on 150 letters. */
const longWord = /\S{50}(?=\S)/g

/** Cuts words that are too long. Pico reads the digits of such a word one by one anyway. */
function cutWords(text: string): string {
  return text.replace(longWord, '$& ')
}
