import { describe, expect, it, onTestFinished } from 'vitest'
import type { Sound } from '../engines/engine.ts'
import { encodeUtterance } from './encoded-stream.ts'

const flac = { audioEncoding: 'FLAC', sampleRateHertz: 16_000, bitRate: 128_000 } as const

/** Collects what would end the process if nobody listened. */
function collectUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

describe('an utterance that is encoded', () => {
  it('fails alone when its voice fails before the encoder is ready', async () => {
    const unhandled = collectUnhandled()
    // biome-ignore lint/correctness/useYield: it fails before there is any sound.
    async function* failing(): AsyncGenerator<Sound, void> {
      throw new Error('too much waits')
    }
    const chunks = encodeUtterance(failing(), 16_000, flac)
    await expect(chunks.next()).rejects.toThrow('too much waits')
    expect(unhandled).toEqual([])
  })

  it('ends its voice when there is no encoder for it', async () => {
    let hasEnded = false
    async function* speaking(): AsyncGenerator<Sound, void> {
      try {
        for (;;) yield { samples: new Float32Array(1600) }
      } finally {
        hasEnded = true
      }
    }
    const chunks = encodeUtterance(speaking(), 16_000, { ...flac, sampleRateHertz: 700_000 })
    await expect(chunks.next()).rejects.toThrow('No FLAC encoder')
    expect(hasEnded).toBe(true)
  })
})
