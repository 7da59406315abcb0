/** What quieter sounds count as. */
export const minLevelDb = -70

/** The mean level of samples in dB, below full scale. */
export function levelDb(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const rms = Math.sqrt(sum / samples.length) / 0x8000
  return Math.max(minLevelDb, 20 * Math.log10(rms))
}
