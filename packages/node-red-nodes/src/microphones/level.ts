import { bytesPerSecond } from './microphone-recording.ts'

/** Each level is that of this much sound. */
export const levelMs = 20
/** The same in bytes of what a microphone records. */
export const levelBytes = (bytesPerSecond * levelMs) / 1000
/** What quieter sounds count as. */
export const minLevelDb = -70
/** Speech is louder than the noise of its microphone by this much, and louder than `minSpeechDb`. */
const overNoiseDb = 9
const minSpeechDb = -55

/** The mean level of samples in dB, below full scale. */
export function levelDb(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const rms = Math.sqrt(sum / samples.length) / 0x8000
  return Math.max(minLevelDb, 20 * Math.log10(rms))
}

/** The same for signed 16-bit samples in bytes, as a microphone records them. */
export function pcmLevelDb(pcm: Buffer): number {
  const samples = Int16Array.from({ length: pcm.length / 2 }, (_, index) =>
    pcm.readInt16LE(2 * index),
  )
  return levelDb(samples)
}

/** Whether a sound stands out from the noise as speech does. A click does too. */
export function isLoud(soundDb: number, noiseDb: number): boolean {
  return soundDb > Math.max(noiseDb + overNoiseDb, minSpeechDb)
}
