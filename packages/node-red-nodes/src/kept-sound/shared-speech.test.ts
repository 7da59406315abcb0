import { expect, it } from 'vitest'
import type { Speech } from '../runtime/speech-service.ts'
import { SharedSpeech } from './shared-speech.ts'

const pieceBytes = 4

/** Ten pieces, each with bytes of its own. */
async function* pieces() {
  for (let value = 0; value < 10; value++) yield { audio: Buffer.alloc(pieceBytes, value) }
}

it('a reader may change its bytes while others read, also if the speech is too long to keep', async () => {
  const { signal } = new AbortController()
  const shared = new SharedSpeech({
    make: async () => pieces() as AsyncIterable<unknown> as Speech,
    maxHeldBytes: 2 * pieceBytes,
  })
  const speeches = await Promise.all([shared.join(signal), shared.join(signal)])
  const readers = speeches.map((speech) => speech[Symbol.asyncIterator]())
  for (let value = 0; value < 10; value++) {
    for (const reader of readers) {
      const { audio } = (await reader.next()).value!
      expect(audio).toEqual(Buffer.alloc(pieceBytes, value))
      audio.fill(255)
    }
  }
  expect(shared.isJoinable).toBe(false)
})

it('an error of who listens to its pieces reaches its readers', async () => {
  const { signal } = new AbortController()
  const failure = new Error('cannot count')
  const shared = new SharedSpeech({
    make: async () => pieces() as AsyncIterable<unknown> as Speech,
    maxHeldBytes: 100,
    onChunk() {
      throw failure
    },
  })
  const speech = await shared.join(signal)
  await expect(speech[Symbol.asyncIterator]().next()).rejects.toBe(failure)
})
