import { fallingVoice } from '@parlando/test-support/audio/computed-sounds'
import { expect, it } from 'vitest'
import { logMel, melBands } from './log-mel.ts'

it("calculates the features of Whisper's feature extractor", () => {
  const { values, count, width } = logMel(fallingVoice(3, -20))
  expect([count, width]).toEqual([800, 80])
  const at = (band: number, frame: number) => values[frame * melBands + band]
  // These are values of the implementation in Python of pipecat-ai 1.14.0.
  expect(at(10, 0)).toBeCloseTo(-0.21119, 4)
  expect(at(10, 700)).toBeCloseTo(1.50936, 4)
  expect(at(40, 750)).toBeCloseTo(0.85416, 4)
  expect(at(40, 799)).toBeCloseTo(-0.21119, 4)
})
