import type { PhraseLimits, Sound } from '../engines/engine.ts'
import type { RunningEngine } from '../engines/registry.ts'
import type { ScriptPart } from '../text/markup.ts'
import { cutScript, type Phrase } from '../text/phrases.ts'
import type { SpeakingVoice } from '../voices/catalogue.ts'
import type { Prosody } from '../voices/prosody.ts'
import { speakPhrase } from './phrase.ts'
import { createPlaybackClock } from './playback-clock.ts'
import { shiftWord } from './shift-word.ts'

export interface UtteranceOptions {
  running: RunningEngine
  voice: SpeakingVoice
  modelId: string
  script: readonly ScriptPart[]
  limits: PhraseLimits
  prosody: Prosody
  withWords: boolean
  signal: AbortSignal
}

/**
 * Speaks a script phrase by phrase. The next phrase is made while the reader is busy with the one it got; no more than
 * one is made ahead, so a reader that stops reading stops the work.
 * @returns sound at the engine's rate; the times of the words count from the start of the utterance.
 */
export async function* speakUtterance(options: UtteranceOptions): AsyncGenerator<Sound, void> {
  const { sampleRateHertz } = options.running.engine
  let spokenSamples = 0
  for await (const phrase of speakPhrases(options)) {
    const startSeconds = spokenSamples / sampleRateHertz
    for await (const { samples, words } of phrase) {
      spokenSamples += samples.length
      yield { samples, words: words?.map((word) => shiftWord(word, startSeconds)) }
    }
  }
}

async function* speakPhrases(
  options: UtteranceOptions,
): AsyncGenerator<AsyncIterable<Sound>, void> {
  const left = new AbortController()
  const signal = AbortSignal.any([options.signal, left.signal])
  const phrases = cutScript(options.script, options.limits, options.prosody.speakingRate)
  const clock = createPlaybackClock()
  // Silence that comes before needs no turn, so it is not what the first turn is for.
  let isFirst = true
  const begin = (): AsyncIterable<Sound> | undefined => {
    const phrase = phrases.next()
    if (phrase.done) return undefined
    if (phrase.value.text !== '') {
      const sound = speakPhrase(phrase.value, { ...options, isFirst, clock, signal })
      isFirst = false
      return sound
    }
    clock.made(phrase.value.pauseSeconds)
    return silence(phrase.value, options.running)
  }
  try {
    let current = begin()
    while (current) {
      const next = begin()
      yield current
      current = next
    }
  } finally {
    left.abort()
  }
}

async function* silence(
  { pauseSeconds }: Phrase,
  { engine }: RunningEngine,
): AsyncGenerator<Sound, void> {
  yield { samples: new Float32Array(Math.round(pauseSeconds * engine.sampleRateHertz)) }
}
