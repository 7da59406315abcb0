import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  tinySupertonicHertz,
  writeTinySupertonicModel,
} from '@parlando/test-support/local-service/models/tiny-supertonic-model'
import { optionalEnginesFolder, speakSamples } from '@parlando/test-support/local-service/test-app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSherpa } from '../../models/sherpa/find-sherpa.ts'
import { cutPhrases } from '../../text/phrases.ts'
import type { Engine } from '../engine.ts'
import { createSherpaEngine } from './sherpa-engine.ts'
import {
  supertonicLanguage,
  supertonicLanguages,
  supertonicLimits,
  supertonicUnsupportedReason,
} from './supertonic.ts'

describe('Supertonic', () => {
  let folder: string
  let engine: Engine
  const failures: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlando-supertonic-'))
    await writeTinySupertonicModel(join(folder, 'sherpa-onnx-supertonic-3-tts-int8'))
    await writeTinySupertonicModel(join(folder, 'deutsch'))
    const about = { langCode: 'DE_DE', displayName: 'Hausstimme' }
    await writeFile(join(folder, 'deutsch', 'parlando.json'), JSON.stringify(about))
    engine = (await createSherpaEngine({
      findFolders: async () => [folder],
      package: findSherpa([optionalEnginesFolder]),
      warn: (message) => failures.push(message),
    }))!
  })
  afterAll(async () => {
    await engine.close()
    await rm(folder, { recursive: true })
    expect(failures).toEqual([])
  })

  const speakIn = async (voice: string, language?: string, text = 'hello') => {
    const parts: Float32Array[] = []
    await engine.speakPhrase({
      voice,
      text,
      modelId: 'svc-tts-2',
      language,
      withWords: false,
      signal: new AbortController().signal,
      onSound: ({ samples }) => parts.push(samples.slice()),
    })
    return hertzOf(parts.flatMap((samples) => Array.from(samples)))
  }
  /** The pitch of a tone, by its rising zero crossings. */
  const hertzOf = (samples: ArrayLike<number>) => {
    const rises = Array.from(samples).filter(
      (sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0,
    )
    return (rises.length * engine.sampleRateHertz) / samples.length
  }

  it('has five female and five male voices, which speak 31 languages', () => {
    const voices = engine.voices.filter(({ name }) => name.includes('supertonic'))
    expect(voices.map(({ voice }) => [voice?.displayName, voice?.gender])).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => [`Supertonic F${at} (sherpa)`, 'female']),
      ...[1, 2, 3, 4, 5].map((at) => [`Supertonic M${at} (sherpa)`, 'male']),
    ])
    expect(voices[0]).toMatchObject({
      name: 'sherpa-sherpa-onnx-supertonic-3-tts-int8-f1',
      langCode: 'AUTO',
      languages: supertonicLanguages,
      voice: { promptLanguages: expect.arrayContaining(['EN_US', 'DE_DE', 'JA_JP', 'PT_BR']) },
    })
    expect(supertonicLanguages).toHaveLength(31)
  })

  it('speaks each speaker in the language of the request, of the model, or of the script', async () => {
    const model = 'sherpa-sherpa-onnx-supertonic-3-tts-int8'
    expect(await speakIn(`${model}-f1`)).toBeCloseTo(tinySupertonicHertz(0, 'en'), -1)
    expect(await speakIn(`${model}-m5`, 'de-AT')).toBeCloseTo(tinySupertonicHertz(9, 'de'), -1)
    const ukrainian = await speakIn(`${model}-f2`, undefined, 'їжак')
    expect(ukrainian).toBeCloseTo(tinySupertonicHertz(1, 'uk'), -1)
    expect(await speakIn('sherpa-deutsch-f1')).toBeCloseTo(tinySupertonicHertz(0, 'de'), -1)
    expect(await speakIn('sherpa-deutsch-f1', 'fr')).toBeCloseTo(tinySupertonicHertz(0, 'fr'), -1)
  })

  it('ends an aborted phrase, and speaks the next one', async () => {
    const disconnect = new AbortController()
    const reason = new Error('the caller disconnected')
    const aborted = engine.speakPhrase({
      voice: 'sherpa-deutsch-f1',
      text: 'one. two. three.',
      modelId: 'svc-tts-2',
      withWords: false,
      signal: disconnect.signal,
      onSound: () => disconnect.abort(reason),
    })
    await expect(aborted).rejects.toBe(reason)
    expect((await speakSamples(engine, 'sherpa-deutsch-f1', 'four')).length).toBeGreaterThan(0)
  })

  it('measures the memory and the speed of each model', () => {
    const names = engine.models?.map(({ name }) => name)
    expect(names).toEqual(['deutsch', 'sherpa-onnx-supertonic-3-tts-int8'])
    for (const { memoryBytes, realTimeFactor } of engine.models ?? []) {
      expect(memoryBytes).toBeGreaterThan(20 * 1024 * 1024)
      expect(realTimeFactor).toBeGreaterThan(0)
    }
    const { memoryBytes, realTimeFactor } = engine.models![0]!
    const { voice } = engine.voices.find(({ name }) => name === 'sherpa-deutsch-f1')!
    expect(voice).toMatchObject({ memoryBytes, realTimeFactor })
  })
})

describe('supertonicLanguage', () => {
  it.each([
    ['hello', undefined, 'AUTO', 'en'],
    ['hello', 'pt-BR', 'DE_DE', 'pt'],
    ['hello', undefined, 'DE_DE', 'de'],
    ['hello', 'zh-CN', 'AUTO', 'en'],
    ['안녕하세요', undefined, 'AUTO', 'ko'],
    ['東京です', undefined, 'AUTO', 'ja'],
    ['добрый день', undefined, 'AUTO', 'ru'],
    ['добрий день, Їжак', undefined, 'AUTO', 'uk'],
    ['καλημέρα', undefined, 'AUTO', 'el'],
  ])(
    'of %s, with the language %s and the model %s, is %4$s',
    (text, requested, model, language) => {
      expect(supertonicLanguage(text, requested, model)).toBe(language)
    },
  )
})

describe('supertonicUnsupportedReason', () => {
  it('accepts the scripts of its languages', () => {
    const text = 'Guten Tag, œuvre, добрый, ελληνικά, 안녕, 東京です, مرحبا, नमस्ते, 21.5 °C! 🎉'
    expect(supertonicUnsupportedReason(text)).toBeUndefined()
  })

  it('names the letter of another script', () => {
    expect(supertonicUnsupportedReason('Hi, שלום')).toContain('the letter ש')
  })
})

it('cuts a first phrase of six to ten words for Supertonic', () => {
  const texts = [
    'The washing machine in the basement has finished its programme and the door is open.',
    'Good morning, it is going to be a sunny day with a few clouds in the late afternoon.',
    'Yes, of course, I have turned off the lights in the kitchen and in the living room.',
    'Somebody is standing at the front door and has rung the bell twice since half past four.',
  ]
  for (const text of texts) {
    const [first] = cutPhrases(text, supertonicLimits)
    const words = first!.text.split(' ').length
    expect([text, words >= 6 && words <= 10 ? 'fits' : first!.text]).toEqual([text, 'fits'])
  }
})
