import type { SpeechChunk } from '@parlando/core'
import { describe, expect, it, vi } from 'vitest'
import type { Speech } from '../runtime/speech-service.ts'
import { RecentSpeech, type SpeechOrigin } from './recent-speech.ts'

const request = { text: 'Dinner is ready.', voiceId: 'Clara', modelId: 'svc-tts-2' }
const hosted: SpeechOrigin = { service: 'Cloud', isOnDevice: false, keepsSound: true }

/** Speech of PCM chunks of these sizes. */
function speechOf(sizes: readonly number[], more: Partial<Speech> = {}): Speech {
  async function* chunks(): AsyncGenerator<SpeechChunk, void> {
    for (const size of sizes) yield { audio: Buffer.alloc(size, 1) }
  }
  return {
    encoding: 'PCM',
    mediaType: 'audio/pcm',
    sampleRateHertz: 24_000,
    usage: { processedCharactersCount: 20 },
    warnings: [],
    firstAudioMs: 120,
    [Symbol.asyncIterator]: chunks,
    ...more,
  } as Speech
}

async function readAll(speech: Speech): Promise<number> {
  let bytes = 0
  for await (const { audio } of speech) bytes += audio.length
  return bytes
}

describe('recent speech', () => {
  it('shows text, voice, times and cost of what was read to its end', async () => {
    const onChange = vi.fn()
    const recent = new RecentSpeech(onChange)
    expect(await readAll(recent.observe(speechOf([48_000, 48_000]), request, hosted))).toBe(96_000)
    expect(onChange).toHaveBeenCalledOnce()
    expect(recent.list()).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{36}$/),
        atMs: expect.any(Number),
        service: 'Cloud',
        text: 'Dinner is ready.',
        voiceId: 'Clara',
        modelId: 'svc-tts-2',
        firstAudioMs: 120,
        totalMs: expect.any(Number),
        seconds: 2,
        charactersCharged: 20,
        isKept: false,
        isComplete: true,
        hasSound: true,
      },
    ])
  })

  it('passes on the facts of the speech', () => {
    const speech = new RecentSpeech(() => {}).observe(speechOf([]), request, hosted)
    expect(speech).toMatchObject({ encoding: 'PCM', sampleRateHertz: 24_000, firstAudioMs: 120 })
  })

  it.each([
    [{ isOnDevice: true }, {}, undefined],
    [{}, { isKept: true }, 0],
    [{}, { usage: undefined }, 16],
  ])('states the cost: %j, %j', async (origin, more, charactersCharged) => {
    const recent = new RecentSpeech(() => {})
    await readAll(recent.observe(speechOf([10], more), request, { ...hosted, ...origin }))
    expect(recent.list()[0]?.charactersCharged).toBe(charactersCharged)
  })

  it('returns the sound as a file that a browser plays', async () => {
    const recent = new RecentSpeech(() => {})
    const speech = speechOf([100, 200])
    for await (const { audio } of recent.observe(speech, request, hosted)) audio.fill(7)
    const { audio, mediaType } = recent.soundOf(recent.list()[0]!.id)!
    expect([audio.length, mediaType]).toEqual([344, 'audio/wav'])
    expect(Buffer.from(audio).subarray(44)).toEqual(Buffer.alloc(300, 1))
    expect(recent.soundOf('unknown')).toBeUndefined()
  })

  it('notes speech that a reader leaves, and none that has no audio or fails before it', async () => {
    const recent = new RecentSpeech(() => {})
    for await (const _ of recent.observe(speechOf([10, 10]), request, hosted)) break
    await readAll(recent.observe(speechOf([]), request, hosted))
    expect(recent.list()).toMatchObject([{ isComplete: false }])
  })

  it('keeps 50 texts, the newest first, and forgets them when they are cleared', async () => {
    const recent = new RecentSpeech(() => {})
    for (let number = 1; number <= 60; number++) {
      const text = `Text ${number}. ${'x'.repeat(3000)}`
      await readAll(recent.observe(speechOf([10]), { ...request, text }, hosted))
    }
    const texts = recent.list().map(({ text }) => text)
    expect(texts).toHaveLength(50)
    expect(texts[0]).toMatch(/^Text 60\./)
    expect(texts[0]).toHaveLength(2000)
    recent.clear()
    expect(recent.list()).toEqual([])
  })

  it('shows a text that is spoken sentence by sentence once, with its last sentence and its cost', async () => {
    const recent = new RecentSpeech(() => {})
    await readAll(recent.observe(speechOf([48_000]), request, hosted))
    for (let number = 1; number <= 60; number++) {
      const sentence = { ...request, text: `Sentence ${number}.` }
      await readAll(recent.observe(speechOf([number]), sentence, { ...hosted, textId: 'book' }))
    }
    expect(recent.list()).toMatchObject([
      { text: 'Sentence 60.', sentences: 60, charactersCharged: 60 * 20, hasSound: true },
      { text: request.text, charactersCharged: 20 },
    ])
    expect(recent.soundOf(recent.list()[0]!.id)?.audio).toHaveLength(44 + 60)
    await readAll(recent.observe(speechOf([1]), request, { ...hosted, textId: 'another book' }))
    expect(recent.list()).toHaveLength(3)
    expect(recent.list()[0]).not.toHaveProperty('sentences')
  })

  it('keeps 8 MiB of sound, none of a text without sound, and none longer than 2 MiB', async () => {
    const recent = new RecentSpeech(() => {})
    const mebibyte = 1024 * 1024
    const add = (bytes: number, more: Partial<SpeechOrigin> = {}) =>
      readAll(recent.observe(speechOf([bytes]), request, { ...hosted, ...more }))
    for (let count = 0; count < 9; count++) await add(mebibyte)
    expect(recent.list().map(({ hasSound }) => hasSound)).toEqual([...Array(8).fill(true), false])
    await add(2 * mebibyte + 1)
    await add(10, { keepsSound: false })
    expect(recent.list().map(({ hasSound }) => hasSound)).toEqual([
      false,
      false,
      ...Array(8).fill(true),
      false,
    ])
  })
})
