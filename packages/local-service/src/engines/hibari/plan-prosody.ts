import { convNextWhole, gelu, normalize, transformer } from '../../neural-networks/layers.ts'
import {
  createRows,
  padRows,
  type Rows,
  repeatRows,
  unfoldRows,
} from '../../neural-networks/rows.ts'
import type { Weights } from '../../neural-networks/weights.ts'

/** A sound as it will be spoken, before it is one: 80 frames per second. */
export interface ProsodyPlan {
  /** How many frames each phoneme lasts. */
  durations: readonly number[]
  /** The pitch of each frame, in hertz; 0 and less where there is no voice. */
  pitchesHertz: Float32Array
  /** What the decoder needs for each frame. */
  features: Rows
}

const dilations = [1, 2, 4, 8, 1, 2]
const framesPerStep = 2

/** Decides how long each phoneme is, and the melody. @param ids the phonemes, with 0 at both ends. */
export function planProsody(weights: Weights, ids: readonly number[], speed: number): ProsodyPlan {
  const sounds = encode(weights, 'm.text', ids, 4)
  const melody = encode(weights, 'pn.text', ids, 6)
  const steps = stepsOf(weights, melody, speed)
  let stepped = weights.linear(repeatRows(melody, steps), 'pn.pro_in')
  dilations.forEach((dilation, index) => {
    stepped = convNextWhole(stepped, weights, `pn.pro.${index}`, dilation)
  })
  const durations = steps.map((count) => count * framesPerStep)
  const { pitchesHertz, energies } = readSteps(weights.linear(stepped, 'pn.pro_out'))
  const features = featuresOf(repeatRows(sounds, durations), pitchesHertz, energies)
  return { durations, pitchesHertz, features }
}

function encode(weights: Weights, name: string, ids: readonly number[], layers: number): Rows {
  const table = weights.vector(`${name}.emb.weight`)
  const width = weights.widthOf(`${name}.emb.weight`)
  let rows = createRows(ids.length, width)
  ids.forEach((id, row) => {
    rows.values.set(table.subarray(id * width, (id + 1) * width), row * width)
  })
  for (const index of [0, 1]) rows = convNextWhole(rows, weights, `${name}.convs.${index}`)
  // All layers have the same weights.
  for (let layer = 0; layer < layers; layer++)
    rows = transformer(rows, weights, `${name}.attn`, { heads: 2 })
  return normalize(rows, weights, `${name}.norm`)
}

/** How many steps of 25 ms each phoneme takes. */
function stepsOf(weights: Weights, melody: Rows, speed: number): number[] {
  const inner = gelu(weights.linear(unfoldRows(padRows(melody, 1, 1), 3), 'pn.dur.0'))
  const logarithms = weights.linear(inner, 'pn.dur.2').values
  return Array.from(logarithms, (value) => Math.max(1, Math.round(Math.expm1(value) / speed)))
}

/** Each step has two pitches, then two energies. */
function readSteps({ values, count, width }: Rows) {
  const pitchesHertz = new Float32Array(count * framesPerStep)
  const energies = new Float32Array(count * framesPerStep)
  for (let step = 0; step < count; step++) {
    for (let frame = 0; frame < framesPerStep; frame++) {
      const to = step * framesPerStep + frame
      pitchesHertz[to] = values[step * width + frame]! * 100
      energies[to] = values[step * width + framesPerStep + frame]!
    }
  }
  return { pitchesHertz, energies }
}

function featuresOf(sounds: Rows, pitchesHertz: Float32Array, energies: Float32Array): Rows {
  const features = createRows(sounds.count, sounds.width + 2)
  for (let frame = 0; frame < sounds.count; frame++) {
    const to = frame * features.width
    features.values.set(
      sounds.values.subarray(frame * sounds.width, (frame + 1) * sounds.width),
      to,
    )
    features.values[to + sounds.width] = Math.log1p(Math.max(0, pitchesHertz[frame]!)) / 5
    features.values[to + sounds.width + 1] = energies[frame]!
  }
  return features
}
