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
