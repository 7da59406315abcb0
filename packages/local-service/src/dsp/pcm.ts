/** Rounds samples of −1…1 to 16 bits; what is louder is cut off. */
export function toInt16(samples: Float32Array): Int16Array {
  const rounded = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    const sample = Math.round(samples[index]! * 32767)
    rounded[index] = Math.max(-32768, Math.min(32767, sample))
  }
  return rounded
}
