const rateHertz = 16_000
const harmonics = 8

/**
 * A voice whose pitch falls from 150 Hz in the course of two syllables a second, and 200 ms of silence: what a sentence sounds
 * like to a network that hears whether it is complete.
 * @param hertzPerSecond by how much it falls.
 * @returns 16 kHz, in −1…1.
 */
export function fallingVoice(seconds: number, hertzPerSecond: number): Float32Array {
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
