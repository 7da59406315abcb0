import { levelDb } from './end-of-turn.ts'

/** The level of signed 16-bit samples, in decibels relative to full scale. */
export function pcmLevelDb(pcm: Buffer): number {
  const samples = Int16Array.from({ length: pcm.length / 2 }, (_, index) =>
    pcm.readInt16LE(2 * index),
  )
  return levelDb(samples)
}
