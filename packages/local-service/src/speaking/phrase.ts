import type { SpeechWarning } from '@parlando/core/wire'
import { createPeakLimiter } from '../audio/peak-limiter.ts'
import { createSilenceTrimmer } from '../audio/silence.ts'
import { createAsyncQueue } from '../concurrency/async-queue.ts'
import type { PhraseSound, SpokenWord } from '../engines/engine.ts'
import type { Phrase } from '../text/phrases.ts'
import { applyImprint } from '../voices/imprint/imprint.ts'
import { soundOf } from '../voices/voice-sound.ts'
import type { Delivery } from './synthesis-request.ts'
import { addWarnings } from './warnings.ts'
import { shiftWord } from './word-timeline.ts'

/** When a phrase is spoken, and what it reports. */
export interface PhraseTurn {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** Receives the duration of all generated audio. */
  clock: PlaybackClock
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
export function speakPhrase(
  phrase: Phrase,
  delivery: Delivery,
  turn: PhraseTurn,
): AsyncIterable<PhraseSound> {
  const { sampleRateHertz } = delivery.running.engine
  const { settings, gain } = soundOf(delivery.voice, delivery.prosody)
  const pauseSamples = Math.round(phrase.pauseSeconds * sampleRateHertz)
  const trimmed = speakTrimmed(phrase, settings?.timeFactor ?? 1, delivery, turn)
  const { isFirst } = turn
  const shaped = settings ? applyImprint(trimmed, { settings, sampleRateHertz, isFirst }) : trimmed
  return finish(shaped, gain, pauseSamples)
}

/** @returns the engine's sound without silence at its ends. */
function speakTrimmed(
  { text, words, pauseSeconds }: Phrase,
  timeFactor: number,
  { running, voice, modelId, language, withWords }: Delivery,
  { isFirst, clock, warnings, signal }: PhraseTurn,
): AsyncIterable<PhraseSound> {
  const { engine, scheduler } = running
  const trimmer = createSilenceTrimmer(engine.sampleRateHertz)
  const queue = createAsyncQueue<PhraseSound>()
  // Words wait for sound: how much silence is cut before them is known once the phrase has begun.
  let waitingWords: SpokenWord[] = []
  const push = (samples: Float32Array) => {
    clock.add((samples.length / engine.sampleRateHertz) * timeFactor)
    const words = waitingWords.map((word) => shiftWord(word, -trimmer.cutSeconds))
    waitingWords = []
    queue.push({ samples, words: words.length > 0 ? words : undefined })
  }
  const run = async () => {
    await engine.speakPhrase({
      voice: voice.engineVoice,
      text,
      words,
      modelId,
      language,
      recording: voice.recording,
      withWords,
      signal,
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
  }
  const neededAtMs = () => clock.lastsUntilMs
  scheduler.schedule({ isFirst, neededAtMs, signal, run }).then(queue.end, queue.fail)
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

/** Estimates when a listener who plays the audio as soon as it is generated runs out of audio. */
export interface PlaybackClock {
  /** Adds the duration of audio that has just been generated. */
  add(seconds: number): void
  /** In milliseconds of `performance.now()`. `Infinity` before the first sound: nobody is playing yet. */
  readonly lastsUntilMs: number
}

export function createPlaybackClock(): PlaybackClock {
  let lastsUntilMs = Number.POSITIVE_INFINITY
  return {
    add(seconds) {
      const startMs = lastsUntilMs === Number.POSITIVE_INFINITY ? performance.now() : lastsUntilMs
      lastsUntilMs = startMs + seconds * 1000
    },
    get lastsUntilMs() {
      return lastsUntilMs
    },
  }
}
