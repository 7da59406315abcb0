import { expect, it } from 'vitest'
import type { DecoderSettings, PocketsphinxDecoder } from './pocketsphinx-decoder.ts'
import { quickSettings, urgentSettings } from './pocketsphinx-decoder.ts'
import { createWordPools } from './word-pools.ts'

/** Two cores, and decoders that only know their settings. */
function createPools() {
  const settingsOf = new Map<PocketsphinxDecoder, DecoderSettings | undefined>()
  const create = async (settings?: DecoderSettings) => {
    const decoder = {} as PocketsphinxDecoder
    settingsOf.set(decoder, settings)
    return decoder
  }
  const pools = createWordPools(create, 2)
  const acquire = async (request: { withInterim?: boolean; isUrgent?: boolean }) => {
    const pool = pools.choose({ withWords: false, withInterim: true, ...request })
    const decoder = await pool.acquire()
    return { settings: settingsOf.get(decoder), release: () => pool.release(decoder) }
  }
  return { acquire }
}

it('speakers get quick decoders while as many utterances are recognised as there are cores', async () => {
  const { acquire } = createPools()
  const speaker = await acquire({})
  const recording = await acquire({ withInterim: false })
  expect([speaker.settings, recording.settings]).toEqual([undefined, undefined])
  expect((await acquire({})).settings).toBe(quickSettings)
  expect((await acquire({ isUrgent: true })).settings).toBe(quickSettings)
})

it('a speaker gets a thorough decoder again when others have ended', async () => {
  const { acquire } = createPools()
  const speakers = await Promise.all([acquire({}), acquire({ isUrgent: true }), acquire({})])
  speakers[0]!.release()
  expect((await acquire({})).settings).toBe(quickSettings)
  for (const speaker of speakers.slice(1)) speaker.release()
  expect((await acquire({})).settings).toBeUndefined()
})

it('a speaker who waits for a response gets an urgent decoder', async () => {
  const { acquire } = createPools()
  expect((await acquire({ isUrgent: true })).settings).toBe(urgentSettings)
})

it('a recording gets a thorough decoder however many utterances are recognised', async () => {
  const { acquire } = createPools()
  const recordings = await Promise.all(
    Array.from({ length: 5 }, () => acquire({ withInterim: false })),
  )
  expect(recordings.map(({ settings }) => settings)).toEqual(Array(5).fill(undefined))
})
