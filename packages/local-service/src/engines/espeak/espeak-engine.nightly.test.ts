import { join } from 'node:path'
import { integratedLoudness, meterRateHertz } from '@parlando/test-support/audio/measure-loudness'
import {
  createEngineApp,
  optionalEnginesFolder,
  post,
  speakBytes,
} from '@parlando/test-support/local-service/test-app'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { commonLufs } from '../../audio/integrated-loudness.ts'
import { findPackage } from '../../machine/user-files.ts'
import { programPath } from '../../processes/program.ts'
import { startLocalService } from '../../service.ts'
import { library } from '../../voices/library.ts'
import type { Engine, PhraseSound } from '../engine.ts'
import { SpeakerProcess } from '../process/speaker-process.ts'
import { createEspeakEngine } from './espeak-engine.ts'
import type { EspeakInfo } from './espeak-program.ts'
import languages from './espeak-voices.json' with { type: 'json' }

const packagePath = findPackage('@echogarden/espeak-ng-emscripten', [optionalEnginesFolder])!.path

let engine: Engine
let app: Hono
let failures: unknown[]
beforeAll(() => {
  const warn = (message: string) => {
    throw new Error(message)
  }
  engine = createEspeakEngine({ packagePath, warn })
  const engineApp = createEngineApp(engine)
  app = engineApp.app
  failures = engineApp.failures
})
afterAll(async () => {
  await engine.close()
  expect(failures).toEqual([])
})

async function readEspeakInfo(): Promise<EspeakInfo> {
  const program = new SpeakerProcess<EspeakInfo, never>({
    name: 'espeak-ng',
    programPath: programPath('espeak-program'),
    readArguments: () => [packagePath],
    phraseLimitMs: 10_000,
    maxGrowthBytes: 0,
    warn() {},
  })
  return program.readInfo()
}

async function soundsOf(voice: string, text: string): Promise<PhraseSound[]> {
  const sounds: PhraseSound[] = []
  await engine.speakPhrase({
    voice,
    text,
    modelId: 'svc-tts-2',
    withWords: true,
    signal: new AbortController().signal,
    onSound: (sound) => sounds.push(sound),
  })
  return sounds
}

const wordsOf = async (voice: string, text: string) =>
  (await soundsOf(voice, text)).flatMap(({ words = [] }) => words)

interface ListedVoices {
  voices: { voiceId: string; langCode: string; displayName: string }[]
}

const list = async (query: string) =>
  (await (await app.request(`/voices/v1/voices?${query}`)).json()) as ListedVoices

describe('espeak-ng', () => {
  it('delivers audio and words long before the end of the phrase', async () => {
    const sounds = await soundsOf('de', 'Guten Morgen, der Kaffee ist fertig.')
    expect(sounds.length).toBeGreaterThan(10)
    expect(sounds[0]!.samples.length / engine.sampleRateHertz).toBeCloseTo(0.1, 2)
    expect(sounds.findIndex(({ words = [] }) => words.length > 0)).toBeLessThan(sounds.length / 2)
  })

  it.each([
    [
      'de',
      '„Guten Morgen“, sagt er um 12:30 Uhr.',
      ['„Guten', 'Morgen“,', 'sagt', 'er', 'um', '12:30', 'Uhr.'],
    ],
    ['ru', 'Доброе утро!', ['Доброе', 'утро!']],
    ['en-us', '😀 Hello 1234 you', ['😀', 'Hello', '1234', 'you']],
    ['cmn', '今天很好，再见。', ['今', '天', '很好，', '再', '见。']],
  ])('reports the times of words as they are spelled: %s', async (voice, text, expected) => {
    const words = await wordsOf(voice, text)
    expect(words.map(({ text }) => text)).toEqual(expected)
    let lastSeconds = 0
    for (const { startSeconds, endSeconds } of words) {
      expect(startSeconds).toBeGreaterThanOrEqual(lastSeconds)
      expect(endSeconds).toBeGreaterThan(startSeconds)
      lastSeconds = endSeconds
    }
  })

  it('leaves the pause between clauses out of the word before it', async () => {
    const [, morgen, der] = await wordsOf('de', 'Guten Morgen, der Kaffee ist fertig.')
    expect(der!.startSeconds - morgen!.endSeconds).toBeGreaterThan(0.1)
  })

  it.each(['3 < 5 and more', '<hello world', '[[h@l]] and more'])(
    'drops no text that looks like its own markup: %s',
    async (text) => {
      const words = await wordsOf('en-us', text)
      expect(words.map(({ text }) => text)).toEqual(text.split(' ').filter((word) => word !== '<'))
    },
  )

  it('returns the same samples after other voices have spoken', async () => {
    const bytesOf = async (voice: string) =>
      Buffer.concat(
        (await soundsOf(voice, 'Hallo, Welt')).map(({ samples }) =>
          Buffer.from(samples.slice().buffer),
        ),
      )
    const first = await bytesOf('de')
    for (const voice of ['ru', 'fr-fr', 'ja', 'it', 'cmn', 'en-us']) await bytesOf(voice)
    expect((await bytesOf('de')).equals(first)).toBe(true)
  })

  it('has a voice for each language, with the language codes of the API', () => {
    const codes = new Map(engine.voices.map(({ name, langCode }) => [name, langCode]))
    expect(codes.size).toBeGreaterThan(100)
    const some = ['de', 'en-us', 'pt-br', 'cmn', 'nb', 'es-419'].map((code) => codes.get(code))
    expect(some).toEqual(['DE_DE', 'EN_US', 'PT_BR', 'ZH_CN', 'NB_NO', 'ES_419'])
    for (const code of codes.values()) expect(code).toMatch(/^[A-Z]{2,3}_([A-Z]{2}|\d{3})$/)
  })

  it('offers every voice of the program whose code is a language or a language with a region', async () => {
    // Variants: Balearic, north-western and Valencian Catalan, and classic Russian. Chuvash does not speak numbers.
    const excluded = ['ca-ba', 'ca-nw', 'ca-va', 'ru-cl', 'cv']
    const { sampleRateHertz, voices } = await readEspeakInfo()
    const offered = voices.filter(({ code }) => {
      const isPlain = /^[a-z]{2,3}(-([a-z]{2}|\d{3}))?$/.test(code) && !excluded.includes(code)
      return isPlain && new Intl.Locale(code).maximize().region
    })
    const names = Object.fromEntries(offered.reverse().map(({ code, name }) => [code, name]))
    expect(names).toEqual(languages)
    expect(sampleRateHertz).toBe(engine.sampleRateHertz)
  })

  it('rejects a text without anything to speak', () => {
    expect(engine.unsupportedReason('… — ?', 'de')).toMatch('no letter and no digit')
    expect(engine.unsupportedReason('Привет', 'ru')).toBeUndefined()
    expect(engine.unsupportedReason('👍', 'de')).toBeUndefined()
  })
})

describe('the service with espeak-ng', () => {
  it('lists its voices by their language', async () => {
    const { voices } = await list('languages=DE_DE')
    expect(voices).toMatchObject([
      { voiceId: 'espeak-de', langCode: 'DE_DE', displayName: 'German (espeak)' },
    ])
  })

  const request = {
    text: 'Доброе утро, кофе готов.',
    voiceId: 'espeak-ru',
    modelId: 'svc-tts-2',
    timestampType: 'WORD',
    audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 22050 },
  }

  it('returns the same audio in one response and as a stream', async () => {
    const whole = (await (await post(app, '/tts/v1/voice', request)).json()) as {
      audioContent: string
      timestampInfo: { wordAlignment: { words: string[] } }
    }
    expect(whole.timestampInfo.wordAlignment.words).toEqual(['Доброе', 'утро,', 'кофе', 'готов.'])
    const response = await post(app, '/tts/v1/voice:stream', request)
    const lines = (await response.text()).trim().split('\n')
    const pieces = lines.map((line) => Buffer.from(JSON.parse(line).result.audioContent, 'base64'))
    expect(lines.length).toBeGreaterThan(3)
    expect(Buffer.concat(pieces).equals(Buffer.from(whole.audioContent, 'base64'))).toBe(true)
  })

  it.each([
    ['espeak-de', 'Jemand wartet am Gartentor auf dich. Morgen wird es sonnig, mit leichtem Wind.'],
    ['espeak-en-us', 'Somebody is waiting at the garden gate for you. Tomorrow will be sunny.'],
  ])('is as loud as the library: %s', async (voiceId, text) => {
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: meterRateHertz }
    const body = { text, voiceId, modelId: 'svc-tts-2', audioConfig }
    const response = (await (await post(app, '/tts/v1/voice', body)).json()) as {
      audioContent: string
    }
    const bytes = Buffer.from(response.audioContent, 'base64')
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, index) => {
      return bytes.readInt16LE(index * 2) / 32_768
    })
    expect(Math.abs(integratedLoudness(samples) - commonLufs)).toBeLessThan(2)
  })

  it.each(['voice', 'voice:stream'])(
    'reads an English text like every other voice, with the times of its words as written: %s',
    async (path) => {
      const speak = async (text: string) => {
        const body = { ...request, voiceId: 'espeak-en-us', text }
        const lines = (await (await post(app, `/tts/v1/${path}`, body)).text()).trim().split('\n')
        const results = lines.map((line) => JSON.parse(line)).map((line) => line.result ?? line)
        const audio = results.map(({ audioContent }) => Buffer.from(audioContent, 'base64'))
        const words = results.flatMap((result) => result.timestampInfo?.wordAlignment?.words ?? [])
        return { audio: Buffer.concat(audio), words }
      }
      const written = await speak('Call 911. The PIN is 4071, and it is 5 °C.')
      const spoken = await speak(
        'Call nine one one. The PIN is four zero seven one, and it is five degrees Celsius.',
      )
      expect(written.words.join(' ')).toBe('Call 911. The PIN is 4071, and it is 5 °C.')
      expect(written.audio.length).toBeGreaterThan(0)
      expect(written.audio.equals(spoken.audio)).toBe(true)
    },
  )

  it('is not offered, without a warning, if it is not installed', async () => {
    const service = await startLocalService({ warmUp: false })
    try {
      const response = await fetch(`${service.baseUrl}/voices/v1/voices`)
      const { voices } = (await response.json()) as ListedVoices
      const ids = voices.map(({ voiceId }) => voiceId)
      expect(ids).toEqual(expect.arrayContaining(library.map(({ voice }) => voice.voiceId)))
      expect(ids.filter((voiceId) => voiceId.startsWith('espeak-'))).toEqual([])
    } finally {
      await service.close()
    }
  })

  it('is listed without its process, which starts with the first phrase', async () => {
    const service = await startLocalService({ warmUp: false, enginesFolder: optionalEnginesFolder })
    onTestFinished(service.close)
    const before = runningChildProcesses()
    const url = `${service.baseUrl}/voices/v1/voices?languages=ru`
    const { voices } = (await (await fetch(url)).json()) as ListedVoices
    expect(voices).toMatchObject([{ voiceId: 'espeak-ru' }, { voiceId: 'espeak-ru-lv' }])
    expect(runningChildProcesses()).toEqual(before)
    const spoken = await fetch(`${service.baseUrl}/tts/v1/voice`, {
      method: 'POST',
      body: JSON.stringify(request),
    })
    expect(spoken.status).toBe(200)
    expect(runningChildProcesses()).toHaveLength(before.length + 1)
  })

  it('rejects phrases with the reason if it is damaged', async () => {
    const warnings: string[] = []
    const damaged = createEspeakEngine({
      packagePath: join(optionalEnginesFolder, 'package.json'),
      warn: (message) => warnings.push(message),
    })
    onTestFinished(damaged.close)
    const spoken = speakBytes(damaged, 'de', 'Guten Morgen')
    await expect(spoken).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /^espeak-ng does not start: .*package\.json.*\. Install it again, or use another voice$/,
      ),
    })
    expect(warnings).toEqual([expect.stringContaining('espeak-ng does not start')])
  })
})
