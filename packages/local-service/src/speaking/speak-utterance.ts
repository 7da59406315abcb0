import type { SpeechWarning } from '@parlando/core/wire'
import { createPeakLimiter } from '../audio/peak-limiter.ts'
import { createSilenceTrimmer } from '../audio/silence.ts'
import { createAsyncQueue } from '../concurrency/async-queue.ts'
import type { PhraseSound, SpokenWord } from '../engines/engine.ts'
import type { TaskProgress } from '../engines/schedule/scheduler.ts'
import {
  type AdmittedSpeech,
  createPlaybackClock,
  type PlaybackClock,
} from '../engines/schedule/speech-load.ts'
import { cutScript, type Phrase } from '../text/phrases.ts'
import { applyImprint } from '../voices/imprint/imprint.ts'
import { soundOf } from '../voices/voice-sound.ts'
import type { Delivery, Utterance } from './synthesis-request.ts'
import { addWarnings } from './warnings.ts'
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
  for await (const phrase of startPhrases(utterance, signal)) {
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
async function* startPhrases(
  utterance: Utterance,
  callerSignal: AbortSignal,
): AsyncGenerator<AsyncIterable<PhraseSound>, void> {
  const { running, warnings } = utterance
  const returned = new AbortController()
  const signal = AbortSignal.any([callerSignal, returned.signal])
  const phrases = cutUtterance(utterance)
  const clock = createPlaybackClock()
  const speech = admitUtterance(utterance, clock)
  // Silence before the first words needs no engine, so the first phrase with words is the first one to be scheduled.
  let isFirst = true
  const start = (): AsyncIterable<PhraseSound> | undefined => {
    const phrase = phrases.next()
    if (phrase.done) return undefined
    if (phrase.value.text !== '') {
      const turn = { isFirst, clock, speech, warnings, signal }
      const sound = deliverPhrase(phrase.value, utterance, turn)
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
    speech.end()
    returned.abort()
  }
}

/** @throws {BusyError} if the service cannot speak it without gaps. */
function admitUtterance(utterance: Utterance, clock: PlaybackClock): AdmittedSpeech {
  const { running, voice, script, caller = '', isContinued } = utterance
  const lengths = script.map((part) => ('text' in part ? part.text.length : 0))
  const characters = lengths.reduce((sum, length) => sum + length, 0)
  return running.scheduler.admit({
    caller,
    voice: voice.engineVoice,
    characters,
    clock,
    isContinued,
  })
}

async function* silence(
  seconds: number,
  sampleRateHertz: number,
): AsyncGenerator<PhraseSound, void> {
  yield { samples: new Float32Array(Math.round(seconds * sampleRateHertz)) }
}

/** When a phrase is spoken, and what it reports. */
export interface PhraseTurn {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** Receives the duration of all generated audio. */
  clock: PlaybackClock
  /** Receives what the engine has done. */
  speech: Pick<AdmittedSpeech, 'noteSpoken'>
  /** Receives what another service says about the text. */
  warnings?: SpeechWarning[]
  signal: AbortSignal
}

/** A sound that begins or ends at once clicks. The silence around a phrase is cut in the middle of its faint noise. */
const fadeSamples = 64

/**
 * Speaks one phrase when its turn comes: the engine's sound without the silence around it, with the imprint of the
 * voice, at the loudness that all voices share, followed by the pause of the phrase. The engine starts at once, even
 * if nobody reads yet; the imprint is applied while the phrase is read.
 * @returns sound at the engine's rate. The times of the words count from the start of the phrase.
 */
export function deliverPhrase(
  phrase: Phrase,
  delivery: Delivery,
  turn: PhraseTurn,
): AsyncIterable<PhraseSound> {
  const { sampleRateHertz } = delivery.running.engine
  const { settings, gain } = soundOf(delivery.voice, delivery.prosody)
  const pauseSamples = Math.round(phrase.pauseSeconds * sampleRateHertz)
  const trimmed = schedulePhrase(phrase, settings?.timeFactor ?? 1, delivery, turn)
  const { isFirst } = turn
  const shaped = settings ? applyImprint(trimmed, { settings, sampleRateHertz, isFirst }) : trimmed
  return finish(shaped, gain, pauseSamples)
}

/** @returns the engine's sound without silence at its ends. */
function schedulePhrase(
  { text, words, pauseSeconds }: Phrase,
  timeFactor: number,
  { running, voice, modelId, language, withWords, caller, trace }: Delivery,
  { isFirst, clock, speech, warnings, signal }: PhraseTurn,
): AsyncIterable<PhraseSound> {
  const { engine, scheduler } = running
  const trimmer = createSilenceTrimmer(engine.sampleRateHertz)
  const queue = createAsyncQueue<PhraseSound>()
  // Words wait for sound: how much silence is cut before them is known once the phrase has begun.
  let waitingWords: SpokenWord[] = []
  let playMs = 0
  const push = (samples: Float32Array) => {
    const seconds = (samples.length / engine.sampleRateHertz) * timeFactor
    clock.add(seconds)
    playMs += seconds * 1000
    const words = waitingWords.map((word) => shiftWord(word, -trimmer.cutSeconds))
    waitingWords = []
    queue.push({ samples, words: words.length > 0 ? words : undefined })
    scheduler.noteSound()
  }
  const phraseTrace = trace?.startPhrase({ engine: engine.name, characters: text.length, isFirst })
  const run = async ({ workedMs, rank }: TaskProgress) => {
    phraseTrace?.beginSpeaking()
    await engine.speakPhrase({
      voice: voice.engineVoice,
      text,
      words,
      modelId,
      language,
      recording: voice.recording,
      withWords,
      signal,
      rank,
      onSound({ samples, words }) {
        for (const word of words ?? []) waitingWords.push(word)
        const kept = trimmer.push(samples)
        if (kept.length > 0) push(kept)
      },
      onWarnings(received) {
        if (warnings) addWarnings(warnings, received)
      },
    })
    push(trimmer.end())
    clock.add(pauseSeconds)
    playMs += pauseSeconds * 1000
    speech.noteSpoken({
      characters: text.length,
      workMs: workedMs(),
      playMs,
    })
  }
  const neededAtMs = () => clock.lastsUntilMs
  const spoken = scheduler.schedule({ isFirst, neededAtMs, caller, signal, run })
  spoken.then(queue.end, queue.fail)
  phraseTrace?.endWith(spoken, signal)
  return queue
}

async function* finish(
  sounds: AsyncIterable<PhraseSound>,
  gain: number,
  pauseSamples: number,
): AsyncGenerator<PhraseSound, void> {
  const limiter = createPeakLimiter()
  let length = 0
  for await (const { samples, words } of sounds) {
    const limited = limiter.push(samples.map((sample) => sample * gain))
    fadeIn(limited, length)
    length += limited.length
    yield { samples: limited, words }
  }
  const last = limiter.end()
  fadeIn(last, length)
  fadeIn(last.reverse(), 0)
  yield { samples: last.reverse() }
  yield { samples: new Float32Array(pauseSamples) }
}

/** Fades in the first samples of a phrase. @param start the place of these samples in the phrase. */
function fadeIn(samples: Float32Array, start: number): void {
  for (let index = 0; index < samples.length && start + index < fadeSamples; index++) {
    samples[index]! *= Math.sin((Math.PI * (start + index)) / (2 * fadeSamples)) ** 2
  }
}
