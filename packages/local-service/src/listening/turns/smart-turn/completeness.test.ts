import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fallingVoice } from '@parlando/test-support/audio/computed-sounds'
import { expect, it } from 'vitest'
import { readWeights } from '../../../neural-networks/weights.ts'
import { completeness, encodeSound, judge } from './completeness.ts'
import { heardSamples, logMel } from './log-mel.ts'

const path = fileURLToPath(import.meta.resolve('@parlando/voices/smart-turn/weights.safetensors'))
const weights = readWeights(readFileSync(path))

// The expected figures are those of onnxruntime with the graph of the network, without the rounding of its inputs to 8 bits.
it('judges a long voice as the graph of the network does', () => {
  const sound = fallingVoice(9, 40).subarray(-heardSamples)
  const likelihood = judge(encodeSound(logMel(sound), weights, 0), weights)
  expect(Math.abs(likelihood - 0.307)).toBeLessThan(0.02)
})

it.each([
  [3, 0, 0.086],
  [3, 20, 0.965],
  [8, 20, 0.954],
  [8, 40, 0.027],
])(
  'judges a voice of %i s that falls by %i Hz a second nearly as the graph, which says %d',
  (seconds, fall, likelihood) => {
    const isComplete = completeness(fallingVoice(seconds, fall), weights) > 0.5
    expect(isComplete).toBe(likelihood > 0.5)
  },
)
