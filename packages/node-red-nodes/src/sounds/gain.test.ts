import { describe, expect, it } from 'vitest'
import { applyGain } from './gain.ts'

async function scaled(samples: readonly number[], factor: number, chunkBytes = 4) {
  const pcm = Buffer.from(Int16Array.from(samples).buffer)
  async function* chunks() {
    for (let at = 0; at < pcm.length; at += chunkBytes) yield pcm.subarray(at, at + chunkBytes)
  }
  const output: Uint8Array[] = []
  for await (const chunk of applyGain(chunks(), factor)) output.push(chunk)
  const bytes = Buffer.concat(output)
  return samples.map((_, index) => bytes.readInt16LE(2 * index))
}

describe('the gain', () => {
  it('scales each sample', async () => {
    expect(await scaled([1000, -1000, 32_767, -32_768], 0.5)).toEqual([500, -500, 16_384, -16_384])
  })

  it('scales samples that chunks split', async () => {
    expect(await scaled([1000, -1000, 300], 0.1, 3)).toEqual([100, -100, 30])
  })

  it('clips samples beyond full scale', async () => {
    expect(await scaled([30_000, -30_000], 2)).toEqual([32_767, -32_768])
  })
})
