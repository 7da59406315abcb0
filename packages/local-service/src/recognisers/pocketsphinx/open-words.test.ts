import { expect, it, vi } from 'vitest'
import { createDecoderPool } from './decoder-pool.ts'
import { openWords } from './open-words.ts'
import type { PocketsphinxDecoder } from './pocketsphinx-decoder.ts'

const mean = [] as unknown as PocketsphinxDecoder['mean']

/** A decoder that ends as the test says. */
function createFakeDecoder(end: () => Promise<void>) {
  const close = vi.fn()
  const decoder: PocketsphinxDecoder = {
    lookUp: () => undefined,
    setSentences() {},
    start() {},
    async process() {},
    async processWhole() {},
    end,
    text: 'good morning',
    score: 0,
    mean,
    frames: 0,
    readWords: () => [],
    close,
  }
  return { decoder, close }
}

const request = { withWords: false, withInterim: false }
const failed = async () => {
  throw new Error('no memory')
}

it.each(['end', 'cancel'] as const)(
  'a decoder that fails at the %s of an utterance is closed once, and not used again',
  async (how) => {
    const failing = createFakeDecoder(failed)
    const next = createFakeDecoder(async () => {})
    const created = [failing.decoder, next.decoder]
    const pool = createDecoderPool(async () => created.shift()!)
    const utterance = await openWords(request, pool)
    await expect(Promise.resolve(utterance[how]())).rejects.toThrow('no memory')
    // The program cancels each utterance that fails.
    await Promise.resolve(utterance.cancel()).catch(() => {})
    expect(failing.close).toHaveBeenCalledOnce()
    expect(await pool.acquire()).toBe(next.decoder)
  },
)

it('a decoder is used again after an utterance', async () => {
  const { decoder, close } = createFakeDecoder(async () => {})
  const pool = createDecoderPool(async () => decoder)
  await (await openWords(request, pool)).cancel()
  const again = await openWords(request, pool)
  expect(await again.end()).toEqual({ text: 'good morning' })
  expect(close).not.toHaveBeenCalled()
})
