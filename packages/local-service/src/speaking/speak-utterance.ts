import type { PhraseSound } from '../engines/engine.ts'
import { cutScript, type Phrase } from '../text/phrases.ts'
import { createPlaybackClock, speakPhrase } from './phrase.ts'
import type { Utterance } from './synthesis-request.ts'
import { shiftWord } from './word-timeline.ts'

/**
 * Speaks a script phrase by phrase. While the reader consumes one phrase, the engine speaks the next one, but never more
 * than one, so a reader that stops reading stops the work.
 * @returns sound at the engine's rate. The times of the words count from the start of the utterance.
 */
export async function* speakUtterance(
  utterance: Utterance,
  signal: AbortSignal,
): AsyncGenerator<PhraseSound, void> {
  const { sampleRateHertz } = utterance.running.engine
  let spokenSamples = 0
  for await (const phrase of speakPhrases(utterance, signal)) {
    const startSeconds = spokenSamples / sampleRateHertz
    for await (const { samples, words } of phrase) {
      spokenSamples += samples.length
      yield { samples, words: words?.map((word) => shiftWord(word, startSeconds)) }
    }
  }
}

/** Spells out the text for voices that need it, sentence by sentence, and cuts it into phrases. */
export function cutUtterance(utterance: Utterance): Generator<Phrase, void> {
  const { script, isPart, limits, prosody, running, voice, language } = utterance
  const { engine } = running
  let { before = '' } = utterance
  const spell = (sentence: string) => {
    const words = engine.spellOut!(sentence, voice.engineVoice, before)
    before = ''
    return words
  }
  const isSpelled = engine.spellOut && (engine.spellsOut?.(voice.engineVoice, language) ?? true)
  const options = { isPart, spell: isSpelled ? spell : undefined }
  return cutScript(script, limits, prosody.speakingRate, options)
}

/** Starts the phrases in order, each one phrase ahead of the reader. */
async function* speakPhrases(
  utterance: Utterance,
  callerSignal: AbortSignal,
): AsyncGenerator<AsyncIterable<PhraseSound>, void> {
  const { running, warnings } = utterance
  const returned = new AbortController()
  const signal = AbortSignal.any([callerSignal, returned.signal])
  const phrases = cutUtterance(utterance)
  const clock = createPlaybackClock()
  // Silence before the first words needs no engine, so the first phrase with words is the first one to be scheduled.
  let isFirst = true
  const start = (): AsyncIterable<PhraseSound> | undefined => {
    const phrase = phrases.next()
    if (phrase.done) return undefined
    if (phrase.value.text !== '') {
      const sound = speakPhrase(phrase.value, utterance, { isFirst, clock, warnings, signal })
      isFirst = false
      return sound
    }
    clock.add(phrase.value.pauseSeconds)
    return silence(phrase.value.pauseSeconds, running.engine.sampleRateHertz)
  }
  try {
    let current = start()
    while (current) {
      const next = start()
      yield current
      current = next
    }
  } finally {
    returned.abort()
  }
}

async function* silence(
  seconds: number,
  sampleRateHertz: number,
): AsyncGenerator<PhraseSound, void> {
  yield { samples: new Float32Array(Math.round(seconds * sampleRateHertz)) }
}
