import type { PhraseSound } from '../engine.ts'
import type { ModelLoudness } from '../model-loudness.ts'
import type { SherpaPhrase } from './sherpa-program.ts'

type Speak = (
  phrase: SherpaPhrase,
  signal: AbortSignal,
  onSound: (sound: PhraseSound) => void,
) => Promise<void>

interface LevelOptions {
  sampleRateHertz: number
  loudness: ModelLoudness
  /** Spoken to measure a voice. */
  text: string
}

/**
 * Speaks with each voice of a model at the loudness of all voices. Before the first phrase of a voice that is not measured, it
 * speaks a text only for that. A voice that cannot speak this text is measured with its first phrase. What imitates a recording
 * is as loud as the recording.
 */
export function levelVoices(
  speak: Speak,
  { sampleRateHertz, loudness, text }: LevelOptions,
): Speak {
  const tried = new Set<string>()

  const measure = async (phrase: SherpaPhrase, voice: string, signal: AbortSignal) => {
    tried.add(voice)
    const pieces: Float32Array[] = []
    await speak({ ...phrase, text }, signal, ({ samples }) => {
      pieces.push(samples)
    }).catch(() => {})
    signal.throwIfAborted()
    await loudness.keep(voice, pieces, sampleRateHertz)
  }

  return async (phrase, signal, onSound) => {
    if (phrase.recording) return speak(phrase, signal, onSound)
    const voice = `${phrase.speaker ?? 0}`
    if (loudness.gainOf(voice) === undefined && !tried.has(voice)) {
      await measure(phrase, voice, signal)
    }
    const gain = loudness.gainOf(voice)
    const pieces: Float32Array[] = []
    await speak(phrase, signal, ({ samples, ...sound }) => {
      if (gain === undefined) pieces.push(samples)
      onSound({ ...sound, samples: samples.map((sample) => sample * (gain ?? 1)) })
    })
    if (gain === undefined) await loudness.keep(voice, pieces, sampleRateHertz)
  }
}
