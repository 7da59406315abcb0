import type { PocketsphinxLibrary } from './pocketsphinx-library.ts'

/**
 * The running mean of the features of speech. pocketsphinx subtracts it, which evens out the loudness, the microphone and the
 * room, and calculates it again after every utterance.
 */
export interface CepstralMean {
  mean: number[]
  /** The sum over the latest utterances. */
  sum: number[]
  frames: number
}

/** Reads and replaces the mean of a decoder. */
export interface CepstralMeanAccess {
  read(): CepstralMean
  write(value: CepstralMean): void
}

/** @param decoder must exist as long as the result is used. */
export function accessCepstralMean(
  { memory, ps_get_feat }: PocketsphinxLibrary,
  decoder: unknown,
): CepstralMeanAccess {
  const { cmn } = memory.readFeatures(ps_get_feat(decoder))
  const read = (): CepstralMean => {
    const { mean, sum, frames, length } = memory.readNormalisation(cmn)
    return { mean: memory.readFloats(mean, length), sum: memory.readFloats(sum, length), frames }
  }
  return {
    read,
    write({ mean, sum, frames }) {
      const fields = memory.readNormalisation(cmn)
      memory.writeFloats(fields.mean, mean)
      memory.writeFloats(fields.sum, sum)
      memory.writeNormalisation(cmn, { ...fields, frames })
    },
  }
}
