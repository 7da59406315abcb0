import { availableParallelism } from 'node:os'
import { defineEngine } from '../define-engine.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import { plainText, unsupportedReason } from './plain-text.ts'
import { spellOut } from './spell-out/spell-out.ts'
import { takeThread } from './thread-ahead.ts'
import { createThreadPool } from './thread-pool.ts'
import { alignWords } from './word-times.ts'

const voices = [
  { name: 'slt', langCode: 'EN_US' },
  { name: 'rms', langCode: 'EN_US' },
  { name: 'awb', langCode: 'EN_GB' },
  { name: 'kal16', langCode: 'EN_US' },
]
const british = voices.filter(({ langCode }) => langCode === 'EN_GB').map(({ name }) => name)

/** The default engine. */
export const flite = defineEngine({
  name: 'flite',
  options: {},
  start: createFliteEngine,
})

/**
 * CMU Flite 2.x in WebAssembly: three statistical voices and a diphone voice, in American and Scottish English. All data
 * is part of the package. Each phrase that is spoken in parallel has a thread, which speaks with any voice. A thread that
 * dies is replaced, and its phrase is retried once.
 */
export async function createFliteEngine(): Promise<Engine> {
  // One core stays free for the server. On two cores, one speaking thread is faster than two.
  const slots = Math.max(1, availableParallelism() - 1)
  const pool = createThreadPool({ start: takeThread, maxThreads: slots })

  return {
    name: 'flite',
    sampleRateHertz: 16_000,
    voices,
    slots,
    timesWords: true,
    unsupportedReason,
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    async speakPhrase({ voice, text, withWords, signal, onSound }: PhraseRequest) {
      const spelled = spellOut(text, { dayFirst: british.includes(voice) })
      const spoken = spelled.map((word) => ({ ...word, spoken: plainText(word.spoken) }))
      const { samples, tokens } = await pool.speak({
        voice,
        text: spoken.map((word) => word.spoken).join(' '),
        withTokens: withWords,
      })
      signal.throwIfAborted()
      onSound({ samples, words: withWords ? alignWords(spoken, tokens) : undefined })
    },
    close: pool.close,
  }
}
