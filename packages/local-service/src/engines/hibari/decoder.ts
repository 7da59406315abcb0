import { convNext, normalize } from '../../networks/layers.ts'
import {
  createRows,
  joinRows,
  padRows,
  type Rows,
  sliceRows,
  unfoldRows,
} from '../../networks/rows.ts'
import type { Weights } from '../../networks/weights.ts'

const blocks = Array.from({ length: 8 }, (_, index) => `m.dec.${index}`)
/** Every convolution looks at this many rows, half of them before and half of them after the one that it makes. */
const taps = 7

/** Turns features of frames into spectra, piece by piece, so that a phrase can be heard before its end is made. */
export interface SpectrumDecoder {
  /**
   * @param features the next frames.
   * @param isLast whether they are the last ones.
   * @returns the spectra of the frames whose surroundings are known: 27 fewer after the first piece, 27 more after the last.
   */
  decode(features: Rows, isLast: boolean): Rows
}

export function createDecoder(weights: Weights, featureWidth: number): SpectrumDecoder {
  const featureWindow = createWindow(featureWidth)
  const windows = blocks.map((name) => createWindow(weights.widthOf(`${name}.dw.weight`)))
  return {
    decode(features, isLast) {
      let rows = weights.linear(unfoldRows(featureWindow(features, isLast), taps), 'm.dec_in')
      blocks.forEach((name, index) => {
        rows = convNext(windows[index]!(rows, isLast), weights, name)
      })
      return weights.linear(normalize(rows, weights, 'm.dec_norm'), 'm.head')
    },
  }
}

/**
 * Keeps the last rows of a piece for the next one.
 * @returns a function that returns a piece with the rows before it, and with zeros before the first and after the last one.
 */
function createWindow(width: number): (rows: Rows, isLast: boolean) => Rows {
  const half = (taps - 1) / 2
  let kept = createRows(half, width)
  return (rows, isLast) => {
    const joined = joinRows(kept, isLast ? padRows(rows, 0, half) : rows)
    const keptCount = Math.min(joined.count, taps - 1)
    kept = sliceRows(joined, joined.count - keptCount, keptCount)
    // Too few rows for one result: they wait for the next piece.
    return joined.count < taps ? createRows(taps - 1, width) : joined
  }
}
