import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fallingVoice } from '@parlando/test-support/audio/computed-sounds'
import { expect, it } from 'vitest'
import { readWeights } from '../../../neural-networks/weights.ts'
import { completeness } from './completeness.ts'
import { heardSamples } from './log-mel.ts'

const path = fileURLToPath(import.meta.resolve('@parlando/voices/smart-turn/weights.safetensors'))
const weights = readWeights(readFileSync(path))

// The expected figures are those of onnxruntime with the graph of the network, without the rounding of its inputs to 8 bits.
it('judges a long voice as the graph of the network does', () => {
  const sound = fallingVoice(9, 40).subarray(-heardSamples)
  expect(Math.abs(completeness(sound, weights) - 0.307)).toBeLessThan(0.02)
})

it.each([
  [0, 0.086],
  [20, 0.965],
])(
  'judges a short voice that falls by %i Hz a second nearly as the graph, which says %d',
  (fall, likelihood) => {
    const isComplete = completeness(fallingVoice(3, fall), weights) > 0.5
    expect(isComplete).toBe(likelihood > 0.5)
  },
)
