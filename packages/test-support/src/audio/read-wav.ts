import { readWavHeader } from '@parlando/core/audio'

export interface WavAudio {
  sampleRateHertz: number
  seconds: number
  /** Root mean square, 0…1; typical for speech: 0.1. */
  loudness: number
}

/** Reads a mono WAV file with 16-bit samples. @throws {Error} for any other file. */
export function readWav(file: Buffer): WavAudio {
  const header = readWavHeader(file)
  if (header?.channels !== 1 || header.bitsPerSample !== 16) {
    throw new Error('The file is not a mono WAV file with 16-bit samples')
  }
  const { sampleRateHertz = 0 } = header
  const samples = file.subarray(header.dataOffset)
  let power = 0
  for (let at = 0; at + 1 < samples.length; at += 2) power += (samples.readInt16LE(at) / 32768) ** 2
  const count = samples.length / 2
  return {
    sampleRateHertz,
    seconds: count / sampleRateHertz,
    loudness: Math.sqrt(power / count),
  }
}
