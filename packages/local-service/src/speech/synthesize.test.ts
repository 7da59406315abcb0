import { describe, expect, it, onTestFinished } from 'vitest'
import { createEncoderPool } from '../encoding/encoder-pool.ts'
import type { Sound } from '../engines/engine.ts'
import { encodeUtterance } from './synthesize.ts'

const encoders = createEncoderPool()
const flac = { audioEncoding: 'FLAC', sampleRateHertz: 16_000, bitRate: 128_000 } as const

/** Collects the unhandled rejections of this test. */
function collectUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

describe('encodeUtterance', () => {
  it('fails without an unhandled rejection when the voice fails before the encoder is ready', async () => {
    const unhandled = collectUnhandled()
    // biome-ignore lint/correctness/useYield: it fails before the first sound.
    async function* failing(): AsyncGenerator<Sound, void> {
      throw new Error('too much waits')
    }
    const chunks = encodeUtterance(failing(), { inputRateHertz: 16_000, layout: flac, encoders })
    await expect(chunks.next()).rejects.toThrow('too much waits')
    expect(unhandled).toEqual([])
  })

  it('stops the voice when no encoder can be opened', async () => {
    let hasEnded = false
    async function* speaking(): AsyncGenerator<Sound, void> {
      try {
        for (;;) yield { samples: new Float32Array(1600) }
      } finally {
        hasEnded = true
      }
    }
    const chunks = encodeUtterance(speaking(), {
      inputRateHertz: 16_000,
      layout: { ...flac, sampleRateHertz: 700_000 },
      encoders,
    })
    await expect(chunks.next()).rejects.toThrow('No FLAC encoder')
    expect(hasEnded).toBe(true)
  })
})
