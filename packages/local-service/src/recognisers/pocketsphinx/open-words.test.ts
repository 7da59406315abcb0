import { describe, expect, it, vi } from 'vitest'
import { recogniserRateHertz } from '../recogniser.ts'
import { createDecoderPool } from './decoder-pool.ts'
import { openWords, type WordsRequest } from './open-words.ts'
import type { PocketsphinxDecoder, Search } from './pocketsphinx-decoder.ts'
import { createSearchQueue } from './search-queue.ts'

const mean = [] as unknown as PocketsphinxDecoder['mean']

/** A decoder that ends as the test says. Its text names its search. */
function createFakeDecoder(end = async () => {}) {
  const close = vi.fn()
  const searches: { search: Search; seconds: number }[] = []
  const decoder: PocketsphinxDecoder = {
    lookUp: () => undefined,
    setSentences() {},
    start: (search) => void searches.push({ search, seconds: 0 }),
    async process(samples) {
      searches.at(-1)!.seconds += samples.length / recogniserRateHertz
    },
    async processWhole() {},
    end,
    get text() {
      return `text of ${searches.at(-1)!.search}`
    },
    score: 0,
    mean,
    frames: 0,
    readWords: () => [],
    close,
  }
  return { decoder, close, searches }
}

const queue = createSearchQueue(1)
const request = { withWords: false, withInterim: false }
const failed = async () => {
  throw new Error('no memory')
}

it.each(['end', 'cancel'] as const)(
  'a decoder that fails at the %s of an utterance is closed once, and not used again',
  async (how) => {
    const failing = createFakeDecoder(failed)
    const next = createFakeDecoder()
    const created = [failing.decoder, next.decoder]
    const pool = createDecoderPool(async () => created.shift()!)
    const utterance = await openWords(request, pool, queue)
    await expect(Promise.resolve(utterance[how]())).rejects.toThrow('no memory')
    // The program cancels each utterance that fails.
    await Promise.resolve(utterance.cancel()).catch(() => {})
    expect(failing.close).toHaveBeenCalledOnce()
    expect(pool.used).toBe(0)
    expect(await pool.acquire()).toBe(next.decoder)
  },
)

it('a decoder is used again after an utterance', async () => {
  const { decoder, close } = createFakeDecoder()
  const pool = createDecoderPool(async () => decoder)
  await (await openWords(request, pool, queue)).cancel()
  const again = await openWords(request, pool, queue)
  expect(await again.end()).toEqual({ text: 'text of words' })
  expect(close).not.toHaveBeenCalled()
})

describe('the beginning of an utterance', () => {
  const second = new Int16Array(recogniserRateHertz)

  /** @returns the searches and the interim texts of three seconds. */
  async function recognise(options: Partial<WordsRequest>, poolOptions = {}) {
    const { decoder, searches } = createFakeDecoder()
    const pool = createDecoderPool(async () => decoder, poolOptions)
    const utterance = await openWords({ ...request, ...options }, pool, queue)
    const interim = []
    for (const samples of [second, second, second]) interim.push(await utterance.write(samples))
    await utterance.end()
    return { searches, interim }
  }

  it.each([
    ['of a recording', {}, {}],
    ['with a quick decoder', { withInterim: true }, { isQuick: true }],
  ])('%s is measured, and then searched once', async (_which, options, poolOptions) => {
    expect((await recognise(options, poolOptions)).searches).toEqual([
      { search: 'measurement', seconds: 2 },
      { search: 'words', seconds: 3 },
    ])
  })

  it('is searched also while it is measured, if somebody waits for interim results', async () => {
    const { searches, interim } = await recognise({ withInterim: true })
    expect(searches[0]).toEqual({ search: 'words', seconds: 2 })
    expect(interim).toEqual(['text of words', 'text of words', 'text of words'])
  })

  it('has no interim result while a quick decoder measures it', async () => {
    const { interim } = await recognise({ withInterim: true }, { isQuick: true })
    expect(interim).toEqual([undefined, 'text of words', 'text of words'])
  })

  it('is measured for a second only if somebody waits for a response', async () => {
    const { searches } = await recognise({ withInterim: true, isUrgent: true })
    expect(searches[0]).toEqual({ search: 'words', seconds: 1 })
  })

  it('is searched at the end of an utterance that is shorter', async () => {
    const { decoder, searches } = createFakeDecoder()
    const utterance = await openWords(
      request,
      createDecoderPool(async () => decoder),
      queue,
    )
    await utterance.write(second)
    expect(await utterance.end()).toEqual({ text: 'text of words' })
    expect(searches.at(-1)).toEqual({ search: 'words', seconds: 1 })
  })
})

it.each([
  ['goes on after that of who has said everything', true, ['running', 'ended', 'speaking']],
  ['does not wait for a recording', false, ['running', 'speaking', 'ended']],
])('the search of what somebody says %s', async (_what, withInterim, expected) => {
  const order: string[] = []
  const openNamed = async (name: string) => {
    const { decoder } = createFakeDecoder()
    decoder.process = async () => void order.push(name)
    const pool = createDecoderPool(async () => decoder)
    return openWords({ ...request, withInterim }, pool, queue)
  }
  const names = ['running', 'speaking', 'ended']
  const utterances = await Promise.all(names.map(openNamed))
  utterances.at(-1)!.hurry!()
  await Promise.all(utterances.map((utterance) => utterance.write(new Int16Array(1))))
  expect(order).toEqual(expected)
})
