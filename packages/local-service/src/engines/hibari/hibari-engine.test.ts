import { speakBytes } from '@parlando/test-support/local-service/test-app'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../engine.ts'
import { hibari } from './hibari-engine.ts'

let engine: Engine
beforeAll(async () => {
  engine = (await hibari.start({ options: {}, warn() {} }))!
})
afterAll(() => engine.close())

const secondsOf = async (text: string) =>
  (await speakBytes(engine, 'heart', text)).length / 4 / engine.sampleRateHertz

it('speaks the digits of a word that is too long to be spelled out', async () => {
  expect(await secondsOf('1'.repeat(20))).toBeGreaterThan(3)
})

it('passes on no sound after an abort, and speaks the next phrase with the same thread', async () => {
  for (let pieces = 0; pieces < 4; pieces++) {
    const disconnect = new AbortController()
    const reason = new Error('gone')
    let heard = 0
    if (pieces === 0) disconnect.abort(reason)
    const spoken = engine.speakPhrase({
      voice: 'heart',
      text: 'The kitchen window is open, so please close it before the rain.',
      modelId: 'svc-tts-2',
      withWords: true,
      signal: disconnect.signal,
      onSound() {
        heard += 1
        if (heard === pieces) disconnect.abort(reason)
      },
    })
    await expect(spoken).rejects.toBe(reason)
    expect(heard).toBe(pieces)
  }
  expect(await secondsOf('Still here')).toBeGreaterThan(0.3)
  expect(engine.threads).toEqual({ alive: 1, replaced: 0 })
})
