import { availableParallelism } from 'node:os'
import { joinSamples } from '../../audio/signal.ts'
import type { SpelledWord } from '../../text/spell-out/word.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine } from '../engine.ts'
import {
  plainText,
  skippedCharacters,
  spellOutEnglish,
  unsupportedReason,
  wordsAsWritten,
} from '../english-text.ts'
import type { Execution } from '../threads/speaking-thread.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { takeThread } from './flite-thread.ts'
import type { FlitePhrase, FliteSound } from './run-flite.ts'
import { sampleRateHertz } from './stream-output.ts'
import { createWordAligner } from './word-aligner.ts'

const voices = [
  { name: 'slt', langCode: 'EN_US' },
  { name: 'rms', langCode: 'EN_US' },
  { name: 'awb', langCode: 'EN_GB' },
  { name: 'kal16', langCode: 'EN_US' },
]
const british = voices.filter(({ langCode }) => langCode === 'EN_GB').map(({ name }) => name)

/**
 * Whether flite may speak several sentences for a word, such as `Done.Next`. The time of such a word is known once all are
 * spoken.
 */
const hasSentenceEnd = ({ spoken }: SpelledWord) =>
  /[.:?!]/.test(spoken.slice(0, Math.max(0, spoken.lastIndexOf(' '))))

/** The engine that is always there. */
export const flite = defineEngine({
  name: 'flite',
  options: {},
  start: createFliteEngine,
})

/**
 * CMU Flite 2.x in WebAssembly: three statistical voices and a diphone voice, in American and Scottish English. All data
 * is part of the package. Each phrase that is spoken in parallel has a thread, which speaks with any voice. A thread that
 * dies is replaced, and the rest of its phrase is retried once.
 */
export async function createFliteEngine(): Promise<Engine> {
  // One core stays free for the server. On two cores, one speaking thread is faster than two.
  const slots = Math.max(1, availableParallelism() - 1)
  const pool = new ThreadPool({ start: takeThread, maxThreads: slots, canInterrupt: true })

  const speakWhole = async (
    execution: Omit<Execution<FlitePhrase, FliteSound>, 'onSound'>,
  ): Promise<FliteSound> => {
    const sounds: FliteSound[] = []
    await pool.run({ ...execution, onSound: (sound) => sounds.push(sound) })
    return {
      samples: joinSamples(sounds.map(({ samples }) => samples)),
      tokens: sounds.flatMap(({ tokens }) => tokens ?? []),
    }
  }

  return {
    name: 'flite',
    sampleRateHertz,
    voices,
    slots,
    interruption: 'costly',
    timesWords: true,
    unsupportedReason,
    skippedCharacters,
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    spellOut: (sentence, voice, before) =>
      spellOutEnglish(sentence, { dayFirst: british.includes(voice), before }),
    async speakPhrase({ voice, text, words, withWords, onSound, signal, rank }) {
      const spoken = words ?? wordsAsWritten(text)
      const align = createWordAligner(spoken)
      const passOn = ({ samples, tokens }: FliteSound) => {
        if (!signal.aborted) onSound({ samples, words: tokens && align(tokens) })
      }
      const phrase = { voice, text: plainText(text), withTokens: withWords }
      const execution = { phrase, signal, rank }
      if (withWords && spoken.some(hasSentenceEnd)) passOn(await speakWhole(execution))
      else await pool.run({ ...execution, onSound: passOn })
      signal.throwIfAborted()
    },
    close: () => pool.close(),
  }
}
