import { createRows, padRows, type Rows, sliceRows } from './rows.ts'
import type { Weights } from './weights.ts'

/** The layers of which networks consist. */

/** A convolution of each column with its own taps. @param padded rows with those before and after that the taps reach. */
function depthwise(padded: Rows, taps: Float32Array, biases: Float32Array, dilation: number): Rows {
  const { values: inputs, width } = padded
  const tapCount = taps.length / width
  const result = createRows(padded.count - (tapCount - 1) * dilation, width)
  const { values } = result
  for (let row = 0; row < result.count; row++) {
    const to = row * width
    values.set(biases, to)
    for (let tap = 0; tap < tapCount; tap++) {
      const from = (row + tap * dilation) * width
      const weights = tap * width
      for (let column = 0; column < width; column++) {
        values[to + column]! += inputs[from + column]! * taps[weights + column]!
      }
    }
  }
  return result
}

/** Scales each row to a mean of 0 and a variance of 1, then each column by its weight and bias. */
export function normalize({ values, count, width }: Rows, weights: Weights, name: string): Rows {
  const factors = weights.vector(`${name}.weight`)
  const biases = weights.vector(`${name}.bias`)
  const result = createRows(count, width)
  for (let from = 0; from < values.length; from += width) {
    let sum = 0
    for (let index = from; index < from + width; index++) sum += values[index]!
    const mean = sum / width
    let squares = 0
    for (let index = from; index < from + width; index++) squares += (values[index]! - mean) ** 2
    const factor = 1 / Math.sqrt(squares / width + 1e-5)
    for (let column = 0; column < width; column++) {
      result.values[from + column] =
        (values[from + column]! - mean) * factor * factors[column]! + biases[column]!
    }
  }
  return result
}

/** Below `-geluLimit` the unit is 0, above it the value itself. */
const geluLimit = 6
const geluStepsPerUnit = 512
const geluTable = Float32Array.from({ length: 2 * geluLimit * geluStepsPerUnit + 1 }, (_, step) =>
  exactGelu(step / geluStepsPerUnit - geluLimit),
)

function exactGelu(value: number): number {
  const size = Math.abs(value) * Math.SQRT1_2
  // Abramowitz and Stegun 7.1.26: the error function, to 1.5e-7.
  const t = 1 / (1 + 0.3275911 * size)
  const polynomial =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const erf = 1 - polynomial * Math.exp(-size * size)
  return 0.5 * value * (1 + (value < 0 ? -erf : erf))
}

/** The Gaussian error linear unit, in place: interpolated between 512 steps per unit, because exact values take long. */
export function gelu(rows: Rows): Rows {
  const { values } = rows
  const last = geluTable.length - 1
  for (let index = 0; index < values.length; index++) {
    const place = (values[index]! + geluLimit) * geluStepsPerUnit
    if (place >= last) continue
    if (place <= 0) {
      values[index] = 0
      continue
    }
    const step = place | 0
    const before = geluTable[step]!
    values[index] = before + (geluTable[step + 1]! - before) * (place - step)
  }
  return rows
}

/** Adds the second rows to the first, in place. */
function add(rows: Rows, { values: others }: Rows): Rows {
  const { values } = rows
  for (let index = 0; index < values.length; index++) values[index]! += others[index]!
  return rows
}

/** How many rows before, and after, a block of `convNext` looks at. */
function reachOf(weights: Weights, name: string, dilation = 1): number {
  const taps = weights.vector(`${name}.dw.weight`).length / weights.widthOf(`${name}.dw.weight`)
  return ((taps - 1) / 2) * dilation
}

/** A ConvNeXt block. @param padded rows with those before and after that the block looks at. */
export function convNext(padded: Rows, weights: Weights, name: string, dilation = 1): Rows {
  const taps = weights.vector(`${name}.dw.weight`)
  let inner = depthwise(padded, taps, weights.vector(`${name}.dw.bias`), dilation)
  inner = normalize(inner, weights, `${name}.norm`)
  inner = weights.linear(gelu(weights.linear(inner, `${name}.pw1`)), `${name}.pw2`)
  const gamma = weights.vector(`${name}.gamma`)
  const middle = sliceRows(padded, (padded.count - inner.count) / 2, inner.count).values
  const { values, width } = inner
  for (let from = 0; from < values.length; from += width) {
    for (let column = 0; column < width; column++) {
      values[from + column] = middle[from + column]! + values[from + column]! * gamma[column]!
    }
  }
  return inner
}

/** A ConvNeXt block for all rows of a text at once. */
export function convNextWhole(rows: Rows, weights: Weights, name: string, dilation = 1): Rows {
  const reach = reachOf(weights, name, dilation)
  return convNext(padRows(rows, reach, reach), weights, name, dilation)
}

/**
 * A transformer block: each row attends to all rows.
 * @param given.counts how many rows each one stands for. Default: one.
 */
export function transformer(
  rows: Rows,
  weights: Weights,
  name: string,
  { heads, counts }: { heads: number; counts?: Float32Array },
): Rows {
  const projected = weights.linear(
    normalize(rows, weights, `${name}.norm1`),
    `${name}.self_attn.in_proj`,
  )
  const attended = weights.attend(projected, heads, counts)
  const result = add(weights.linear(attended, `${name}.self_attn.out_proj`), rows)
  const inner = gelu(weights.linear(normalize(result, weights, `${name}.norm2`), `${name}.linear1`))
  return add(result, weights.linear(inner, `${name}.linear2`))
}
