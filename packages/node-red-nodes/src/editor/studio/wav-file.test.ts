import { writeWavHeader } from '@parlando/core/audio'
import { expect, it } from 'vitest'
import { wavFile } from './wav-file.ts'

it('a WAV file has the header that the core writes, and the samples', () => {
  const samples = Int16Array.from([0, 1, -1, 32_767, -32_768])
  const header = writeWavHeader({ sampleRateHertz: 24_000, dataBytes: 10 })
  const file = Buffer.from(wavFile(samples, 24_000))
  expect(file.subarray(0, 44)).toEqual(header)
  expect(Array.from({ length: 5 }, (_, at) => file.readInt16LE(44 + 2 * at))).toEqual([...samples])
})
