import { expect, it } from 'vitest'
import { trimSilence } from './trim-silence.ts'

const pcm = (samples: readonly number[]) => Buffer.from(new Int16Array(samples).buffer)

it.each([1, 2, 3, 5, 100])(
  'keeps only the silence within speech, in pieces of %i bytes',
  (size) => {
    const bytes = pcm([0, 5, -20, 3000, -2000, 0, 0, 10, 500, 0, 7, 0])
    const trim = trimSilence()
    const kept: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += size) kept.push(trim(bytes.subarray(at, at + size)))
    expect(Buffer.concat(kept)).toEqual(pcm([3000, -2000, 0, 0, 10, 500]))
  },
)

it('keeps nothing of silence', () => {
  expect(trimSilence()(pcm([0, 0, 1])).length).toBe(0)
})
