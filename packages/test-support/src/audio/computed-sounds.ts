import { createRandom } from '../vitest/random.ts'

/** A sine tone as 16-bit mono PCM. @param options.amplitude 1 is full scale; default: -10 dB. */
export function tone(options: {
  seconds: number
  hertz: number
  sampleRateHertz: number
  amplitude?: number
}): Buffer {
  const { seconds, hertz, sampleRateHertz, amplitude = 10 ** -0.5 } = options
  const pcm = Buffer.alloc(2 * Math.round(seconds * sampleRateHertz))
  for (let index = 0; 2 * index < pcm.length; index++) {
    const angle = (2 * Math.PI * hertz * index) / sampleRateHertz
    pcm.writeInt16LE(Math.round(amplitude * 0x7fff * Math.sin(angle)), 2 * index)
  }
  return pcm
}

/**
 * The same in every run.
 * @param samples mono, 16 kHz: 16 for a millisecond.
 * @param amplitude 1 is full scale.
 */
export function whiteNoise(samples: number, amplitude: number): Int16Array {
  const random = createRandom(1)
  return new Int16Array(samples).map(() => amplitude * 32_767 * (2 * random() - 1))
}

/** Parameters of a sound that voice activity detectors take for speech. */
export interface VoicedSound {
  seconds: number
  /** Default: 16,000. */
  sampleRateHertz?: number
  /** 1 is full scale. Default: 0.2. */
  amplitude?: number
}

/** Harmonics of a voice, louder and softer four times a second as in syllables. Its pitch moves, unlike the tones of music. */
export function voicedSound(options: VoicedSound): Int16Array {
  const { seconds, sampleRateHertz = 16_000, amplitude = 0.2 } = options
  return Int16Array.from({ length: Math.round(seconds * sampleRateHertz) }, (_, index) => {
    const time = index / sampleRateHertz
    const angle = 2 * Math.PI * 4 * time
    const syllable = 0.6 + 0.4 * Math.cos(angle)
    // 140 Hz, and 20 Hz higher and lower.
    const periods = 140 * time + (20 / (2 * Math.PI * 4)) * Math.sin(angle)
    let sum = 0
    for (let harmonic = 1; harmonic <= 20; harmonic++) {
      sum += Math.sin(2 * Math.PI * harmonic * periods + harmonic ** 2) / harmonic
    }
    return Math.round((amplitude * syllable * sum * 32_767) / 2)
  })
}

/**
 * A voice whose pitch falls from 150 Hz in the course of two syllables a second, and 200 ms of silence: what a sentence sounds
 * like to a network that hears whether it is complete.
 * @param hertzPerSecond by how much it falls.
 * @returns 16 kHz, in −1…1.
 */
export function fallingVoice(seconds: number, hertzPerSecond: number): Float32Array {
  const rateHertz = 16_000
  const harmonics = 8
  const sound = new Float32Array((seconds + 0.2) * rateHertz)
  for (let at = 0; at < seconds * rateHertz; at++) {
    const time = at / rateHertz
    const phase = 2 * Math.PI * (150 * time - (hertzPerSecond * time * time) / 2)
    let sample = 0
    for (let harmonic = 1; harmonic <= harmonics; harmonic++) {
      sample += Math.sin(harmonic * phase) / harmonic
    }
    sound[at] = 0.1 * sample * Math.abs(Math.sin(4 * Math.PI * time))
  }
  return sound
}
