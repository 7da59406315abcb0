import { normalize, transformer } from '../../../neural-networks/layers.ts'
import { createRows } from '../../../neural-networks/rows.ts'
import type { Weights } from '../../../neural-networks/weights.ts'

const layers = [0, 1, 2, 3]
const heads = 4
const maxLetters = 24

/**
 * Guesses the sounds of a word that is in no list, such as a name. The network gives each letter a few places, each with a sound
 * or none; the same sound in places side by side is one sound.
 * @param letters all letters that it knows, in the order of its table; 0 is none.
 * @param sounds all sounds, likewise.
 */
export function guessSounds(
  weights: Weights,
  word: string,
  letters: readonly string[],
  sounds: readonly string[],
): string {
  const ids = [...word].map((letter) => letters.indexOf(letter) + 1).filter((id) => id > 0)
  const known = ids.slice(0, maxLetters)
  if (known.length === 0) return ''
  const table = weights.vector('m.emb.weight')
  const positions = weights.vector('m.pos')
  const width = weights.widthOf('m.emb.weight')
  let rows = createRows(known.length, width)
  known.forEach((id, row) => {
    for (let column = 0; column < width; column++) {
      rows.values[row * width + column] =
        table[id * width + column]! + positions[row * width + column]!
    }
  })
  for (const layer of layers) rows = transformer(rows, weights, `m.layers.${layer}`, { heads })
  const scores = weights.linear(normalize(rows, weights, 'm.norm'), 'm.head').values
  return readSounds(scores, sounds)
}

function readSounds(scores: Float32Array, sounds: readonly string[]): string {
  const choices = sounds.length + 1
  let spoken = ''
  let last = 0
  for (let from = 0; from < scores.length; from += choices) {
    const place = scores.subarray(from, from + choices)
    const best = place.indexOf(Math.max(...place))
    if (best !== last && best !== 0) spoken += sounds[best - 1]
    last = best
  }
  return spoken
}
