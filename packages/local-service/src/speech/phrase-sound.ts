import type { Sound, SpokenWord } from '../engines/engine.ts'
import type { RunningEngine } from '../engines/registry.ts'
import type { SpeakingVoice } from '../voices/catalogue.ts'
import { gainOf } from '../voices/levels.ts'
import { createHandover } from './handover.ts'
import type { Listening } from './listening.ts'
import type { Phrase } from './phrases.ts'
import { createSilenceTrimmer } from './silence.ts'

export interface PhraseSoundOptions {
  running: RunningEngine
  voice: SpeakingVoice
  modelId: string
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** Is told of all sound that is made. */
  listening: Listening
  withWords: boolean
  signal: AbortSignal
}

/**
 * Speaks one phrase when its turn comes: the engine's sound without the silence around it, at the loudness of all
 * voices, followed by the phrase's pause. The work begins at once, whether anybody reads or not.
 * @returns sound at the engine's rate; the times of the words count from the start of the phrase.
 */
export function speakPhrase(phrase: Phrase, options: PhraseSoundOptions): AsyncIterable<Sound> {
  const { running, voice, modelId, isFirst, listening, withWords, signal } = options
  const { engine, scheduler } = running
  const { sampleRateHertz } = engine
  const gain = gainOf(voice)
  const trimmer = createSilenceTrimmer(sampleRateHertz)
  const pauseSamples = Math.round(phrase.pauseSeconds * sampleRateHertz)
  const handover = createHandover<Sound>()
  const hand = (sound: Sound) => {
    listening.made(sound.samples.length / sampleRateHertz)
    handover.push(sound)
  }
  const run = async () => {
    await engine.speakPhrase({
      voice: voice.engineVoice,
      text: phrase.text,
      modelId,
      withWords,
      signal,
      onSound({ samples, words }) {
        const kept = amplify(trimmer.push(samples), gain)
        hand({ samples: kept, words: words && moved(words, -trimmer.cutSeconds) })
      },
    })
    const ending = amplify(trimmer.end(), gain)
    const samples = new Float32Array(ending.length + pauseSamples)
    samples.set(ending)
    hand({ samples })
  }
  const neededAtMs = () => listening.lastsUntilMs
  scheduler.schedule({ isFirst, neededAtMs, signal, run }).then(handover.end, handover.fail)
  return handover
}

function amplify(samples: Float32Array, gain: number): Float32Array {
  return samples.map((sample) => Math.max(-1, Math.min(1, sample * gain)))
}

function moved(words: readonly SpokenWord[], seconds: number): SpokenWord[] {
  return words.map(({ text, startSeconds, endSeconds }) => ({
    text,
    startSeconds: Math.max(0, startSeconds + seconds),
    endSeconds: Math.max(0, endSeconds + seconds),
  }))
}
