import type { Engine } from '../engines/engine.ts'
import { cutPhrases, type Phrase, type PhraseLimits } from './phrases.ts'
import type { Scheduler } from './scheduler.ts'
import { trimSilence } from './silence.ts'

export interface UtteranceOptions {
  engine: Engine
  scheduler: Scheduler
  /** The engine's name of the voice. */
  voice: string
  /** Factor that brings the voice to the loudness of the others. */
  gain: number
  text: string
  limits: PhraseLimits
  signal: AbortSignal
}

/**
 * Speaks a text phrase by phrase. The next phrase is made while the reader is busy with the one it got; no more than
 * one is made ahead, so a reader that stops reading stops the work.
 * @returns mono samples, −1…1, in the engine's rate; a phrase each.
 */
export async function* speakUtterance(
  options: UtteranceOptions,
): AsyncGenerator<Float32Array, void> {
  const { scheduler, signal } = options
  const left = new AbortController()
  const ended = AbortSignal.any([signal, left.signal])
  let isFirst = true

  const begin = (phrase: Phrase): Promise<Float32Array> => {
    const spoken = scheduler.schedule({
      isFirst,
      signal: ended,
      run: () => speakPhrase(options, phrase),
    })
    isFirst = false
    // The reader may leave before it looks at a phrase that was made ahead and failed.
    spoken.catch(() => {})
    return spoken
  }

  try {
    let next: Promise<Float32Array> | undefined
    for (const phrase of cutPhrases(options.text, options.limits)) {
      const current = next
      next = begin(phrase)
      if (current) yield await current
    }
    if (next) yield await next
  } finally {
    left.abort()
  }
}

async function speakPhrase(options: UtteranceOptions, phrase: Phrase): Promise<Float32Array> {
  const { engine, voice, gain } = options
  const spoken = trimSilence(await engine.speakPhrase(voice, phrase.text), engine.sampleRateHertz)
  const pause = Math.round(phrase.pauseSeconds * engine.sampleRateHertz)
  const samples = new Float32Array(spoken.length + pause)
  for (let index = 0; index < spoken.length; index++) {
    samples[index] = Math.max(-1, Math.min(1, spoken[index]! * gain))
  }
  return samples
}
