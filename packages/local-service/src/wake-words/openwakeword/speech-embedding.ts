import { createRows, joinRows, type Rows, sliceRows } from '../../neural-networks/rows.ts'
import type { Weights } from '../../neural-networks/weights.ts'
import { bands } from './mel-spectrogram.ts'

/** Describes how the last 0.8 s of a stream sound. */
export interface SpeechEmbedding {
  /** @param mels what a mel spectrogram returns for one step. @returns `embeddingSize` numbers. */
  push(mels: Rows): Float32Array
}

export const embeddingSize = 96

/**
 * A convolution sees this many frames and bands, and pooling keeps the largest of this many. Convolutions along the time see earlier
 * frames; those across the bands see zeros beyond the edges.
 */
interface Layer {
  type: 'convolution' | 'pooling'
  frames: number
  bands: number
}

const convolution = (frames: number, bands: number): Layer => ({
  type: 'convolution',
  frames,
  bands,
})
const pooling = (frames: number, bands: number): Layer => ({ type: 'pooling', frames, bands })
const pair = [convolution(1, 3), convolution(3, 1)]

const layers: readonly Layer[] = [
  convolution(3, 3),
  ...pair,
  pooling(2, 2),
  ...pair,
  ...pair,
  pooling(1, 2),
  ...pair,
  ...pair,
  pooling(2, 2),
  ...pair,
  ...pair,
  pooling(1, 2),
  ...pair,
  ...pair,
  pooling(2, 2),
  convolution(3, 1),
]

/** Some frames with the same number of rows each: one for each band, with its channels. */
interface Frames {
  rows: Rows
  bands: number
}

/**
 * Google's speech_embedding, as openWakeWord uses it: calculated once for each frame instead of once for each window.
 * @param weights those that build/wake_words.py of @parlando/voices has written.
 */
export function createSpeechEmbedding(weights: Weights): SpeechEmbedding {
  const steps = layers.map((layer) => createStep(layer))
  const names = layers
    .filter(({ type }) => type === 'convolution')
    .map((_, index) => `conv${index}`)
  const lastName = names.at(-1)
  return {
    push(mels) {
      const remaining = [...names]
      let frames: Frames = { rows: mels, bands }
      for (const [index, step] of steps.entries()) {
        frames = step(frames)
        if (layers[index]!.type === 'pooling') continue
        const name = remaining.shift()!
        const rows = weights.linear(frames.rows, name)
        if (name !== lastName) activate(rows.values)
        frames = { ...frames, rows }
      }
      return frames.rows.values
    },
  }
}

function activate(values: Float32Array): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    values[index] = value > 0 ? value : Math.max(0.2 * value, -0.4)
  }
}

/** @returns what the layer needs of new frames: the largest values, or for each output all values that a convolution sees. */
function createStep(layer: Layer): (added: Frames) => Frames {
  if (layer.type === 'pooling') return (added) => pool(added, layer)
  const { frames } = layer
  let earlier: Rows | undefined
  return (added) => {
    const { bands, rows } = added
    earlier ??= createRows((frames - 1) * bands, rows.width)
    const seen = joinRows(earlier, rows)
    earlier = sliceRows(seen, rows.count, earlier.count)
    return { bands, rows: unfold(seen, bands, layer) }
  }
}

function unfold(seen: Rows, bands: number, layer: Layer): Rows {
  const { width, values } = seen
  const count = seen.count - (layer.frames - 1) * bands
  const unfolded = createRows(count, width * layer.frames * layer.bands)
  const around = (layer.bands - 1) / 2
  for (let row = 0; row < count; row++) {
    const band = row % bands
    const first = Math.max(band - around, 0)
    const last = Math.min(band + around, bands - 1)
    for (let frame = 0; frame < layer.frames; frame++) {
      const from = row + frame * bands
      const part = values.subarray((from + first - band) * width, (from + last - band + 1) * width)
      const to = (row * layer.frames + frame) * layer.bands + first - band + around
      unfolded.values.set(part, to * width)
    }
  }
  return unfolded
}

function pool({ rows, bands }: Frames, by: Layer): Frames {
  const { width, values } = rows
  const kept = bands / by.bands
  const pooled = createRows(rows.count / by.frames / by.bands, width)
  pooled.values.fill(Number.NEGATIVE_INFINITY)
  for (let row = 0; row < rows.count; row++) {
    const frame = Math.floor(row / bands / by.frames)
    const to = (frame * kept + Math.floor((row % bands) / by.bands)) * width
    for (let channel = 0; channel < width; channel++) {
      const value = values[row * width + channel]!
      if (value > pooled.values[to + channel]!) pooled.values[to + channel] = value
    }
  }
  return { rows: pooled, bands: kept }
}
