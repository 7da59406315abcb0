import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SpeechWarning } from '@parlando/core/wire'
import { integratedLoudness, meterRateHertz } from '@parlando/test-support/audio/measure-loudness'
import { createEngineApp, post, speakBytes } from '@parlando/test-support/local-service/test-app'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { commonLufs } from '../../audio/integrated-loudness.ts'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import type { Engine, PhraseSound } from '../engine.ts'
import type { PieceOfSound } from '../threads/serve-phrases.ts'
import { SpeakingThread } from '../threads/speaking-thread.ts'
import { pico } from './pico-engine.ts'
import type { PicoPhrase } from './pico-worker.ts'

const sentences = {
  Greta:
    'Guten Morgen! Die Waschmaschine ist fertig, und im Wohnzimmer ist noch ein Fenster offen.',
  Margot: 'Bonjour ! La machine à laver a terminé, et une fenêtre du salon est encore ouverte.',
  Bianca: 'Buongiorno! La lavatrice ha finito, e una finestra del soggiorno è ancora aperta.',
  Lucia: '¡Buenos días! La lavadora ha terminado, y una ventana del salón sigue abierta.',
  Harriet: 'Good morning! The washing machine is done, and a window of the lounge is still open.',
}

let engine: Engine
let app: Hono
let failures: unknown[]
beforeAll(async () => {
  const warn = (message: string) => {
    throw new Error(message)
  }
  engine = (await pico.start({ options: {}, warn }))!
  const engineApp = createEngineApp(engine)
  app = engineApp.app
  failures = engineApp.failures
})
afterAll(async () => {
  await engine.close()
  expect(failures).toEqual([])
})

async function soundsOf(text: string, signal = new AbortController().signal, withWords = false) {
  const sounds: PhraseSound[] = []
  const onSound = (sound: PhraseSound) => sounds.push(sound)
  const request = { voice: 'de-DE', text, modelId: 'svc-tts-2', withWords, signal, onSound }
  await engine.speakPhrase(request)
  return sounds
}

async function synthesize(voiceId: string, text: string, settings: object = {}) {
  const audioConfig = { audioEncoding: 'LINEAR16', sampleRateHertz: meterRateHertz }
  const body = { text, voiceId, modelId: 'svc-tts-2', audioConfig, ...settings }
  const response = await post(app, '/tts/v1/voice', body)
  expect(response.status).toBe(200)
  const { audioContent } = (await response.json()) as { audioContent: string }
  const bytes = Buffer.from(audioContent, 'base64').subarray(44)
  return {
    samples: Float32Array.from(
      { length: bytes.length / 2 },
      (_, at) => bytes.readInt16LE(at * 2) / 32_768,
    ),
    warnings: JSON.parse(response.headers.get('x-parlando-warnings') ?? '[]') as SpeechWarning[],
  }
}

describe('the voices of Pico', () => {
  it.each(casesToRun(Object.entries(sentences), 2))(
    '%s is as loud as every voice',
    async (voiceId, text) => {
      const { samples, warnings } = await synthesize(voiceId, text)
      expect(Math.abs(integratedLoudness(samples) - commonLufs)).toBeLessThan(1.5)
      expect(warnings).toEqual([])
    },
  )

  it('reach the same length at another pace, and another melody at the same pace', async () => {
    const plain = await synthesize('Greta', sentences.Greta)
    const audioConfig = {
      audioEncoding: 'LINEAR16',
      sampleRateHertz: meterRateHertz,
      speakingRate: 1.25,
    }
    const fast = await synthesize('Greta', sentences.Greta, { audioConfig })
    expect(plain.samples.length / fast.samples.length).toBeCloseTo(1.25, 1)
    const stable = await synthesize('Greta', sentences.Greta, { deliveryMode: 'STABLE' })
    expect(plain.samples.length / stable.samples.length).toBeCloseTo(1, 1)
    expect(stable.samples).not.toEqual(plain.samples)
  })

  it('warn about a text of another language, and name the voice that speaks it', async () => {
    const { warnings } = await synthesize('Greta', sentences.Margot)
    expect(warnings[0]!.message).toMatch(/seems to be French.*speaks DE_DE.*Margot/)
  })

  it('skip with a warning what they cannot say, and reject only a text that has nothing else', async () => {
    const { warnings } = await synthesize('Greta', 'Hallo мир')
    expect(warnings).toMatchObject([{ code: 'skipped-characters', characters: 'мир' }])
    expect(engine.unsupportedReason('мир', 'de-DE')).toMatch(/speak German .* cannot say "м"/)
  })
})

/** Texts, and how they are said in words. */
const readings: readonly [voiceId: string, text: string, words: string][] = [
  ['Greta', 'Um 7:05 Uhr sind es -5 °C.', 'Um sieben Uhr fünf sind es minus fünf Grad.'],
  [
    'Margot',
    'Il est 18h30, il fait 21 °C.',
    'Il est dix-huit heures trente, il fait vingt et un degrés.',
  ],
  [
    'Bianca',
    'Sono le 18:30, il 50 % è carico.',
    'Sono le diciotto e trenta, il cinquanta per cento è carico.',
  ],
  ['Lucia', 'Son las 18:30 y hay 21 °C.', 'Son las dieciocho y treinta y hay veintiún grados.'],
  ['Harriet', 'It is 21 °C.', 'It is twenty one degrees Celsius.'],
]

describe('a text', () => {
  it.each(casesToRun(readings, 2))(
    'sounds to %s like its words: %s',
    async (voiceId, text, words) => {
      const [written, spoken] = await Promise.all([
        synthesize(voiceId, text),
        synthesize(voiceId, words),
      ])
      expect(written.samples).toEqual(spoken.samples)
    },
  )
})

describe('a phrase of Pico', () => {
  it('is passed on in pieces, from a tenth of a second on', async () => {
    const sounds = await soundsOf('Die Waschmaschine im Keller ist fertig.')
    expect(sounds.length).toBeGreaterThan(5)
    expect(sounds[0]!.samples.length / engine.sampleRateHertz).toBeCloseTo(0.1, 1)
  })

  it.each(casesToRun(['a1', '7', 'a', 'é', '7-', '!'], 2))(
    'may be one word of 200 characters: %s',
    async (part) => {
      const word = part.repeat(200 / part.length)
      const controller = new AbortController()
      let samples = 0
      const spoken = engine.speakPhrase({
        voice: 'de-DE',
        text: word,
        modelId: 'svc-tts-2',
        withWords: false,
        signal: controller.signal,
        onSound(sound) {
          samples += sound.samples.length
          // The analysis of the whole word is over.
          if (samples > 10 * engine.sampleRateHertz) controller.abort(new Error('enough'))
        },
      })
      await spoken.catch((error) => expect(error.message).toBe('enough'))
      expect(samples).toBeGreaterThan(engine.sampleRateHertz)
      expect(engine.threads).toMatchObject({ alive: 1, replaced: 0 })
    },
  )

  it('ends within a piece after an abort', async () => {
    const controller = new AbortController()
    const sounds: PhraseSound[] = []
    const speaking = engine.speakPhrase({
      voice: 'de-DE',
      text: 'Ein Satz, der lange dauert, '.repeat(20),
      modelId: 'svc-tts-2',
      withWords: false,
      signal: controller.signal,
      onSound(sound) {
        sounds.push(sound)
        controller.abort(new Error('enough'))
      },
    })
    await expect(speaking).rejects.toThrow('enough')
    expect(sounds).toHaveLength(1)
    expect(engine.threads).toMatchObject({ alive: 1, replaced: 0 })
  })

  it.each([
    ['<speed level="500">Guten Morgen</speed>', 'speed level="500" Guten Morgen /speed'],
    ['<play file="/pico.bin"/>Guten Morgen', 'play file="/pico.bin"/ Guten Morgen'],
    ['＜genfile file="x"＞Guten Morgen', 'genfile file="x" Guten Morgen'],
  ])('contains no commands: %s', async (text, plain) => {
    const spoken = await Promise.all([text, plain].map((one) => speakBytes(engine, 'de-DE', one)))
    expect(spoken[0]!.equals(spoken[1]!)).toBe(true)
  })

  it('reports the words as written, one after the other, within its sound', async () => {
    const text = 'Guten Morgen, „liebe“ Leute – es ist Zeit.'
    const sounds = await soundsOf(text, undefined, true)
    const words = sounds.flatMap(({ words = [] }) => words)
    expect(words.map((word) => word.text)).toEqual(text.split(' ').filter((word) => word !== '–'))
    const times = words.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    const samples = sounds.reduce((sum, sound) => sum + sound.samples.length, 0)
    expect(times.at(-1)).toBeLessThanOrEqual(samples / engine.sampleRateHertz)
  })
})

it.each([
  ['cut', (bytes: Buffer) => bytes.subarray(0, 100_000)],
  ['overwritten', ({ length }: Buffer) => Buffer.alloc(length, 'x')],
  ['deleted', undefined],
])('says that a file of the voice is %s, and speaks once it is repaired', async (_how, damage) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-pico-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(findBuiltInData('pico')!, folder, { recursive: true })
  const path = join(folder, 'de-DE_gl0_sg.bin')
  const bytes = await readFile(path)
  if (damage) await writeFile(path, damage(bytes))
  else await rm(path)
  const program = { program: 'pico-worker', data: folder, resourceLimits: {} }
  const thread = new SpeakingThread<PicoPhrase, PieceOfSound>(program)
  onTestFinished(() => thread.close())
  const speak = async (language: string, speaker: string) => {
    const files = [`${language}_ta.bin`, `${language}_${speaker}_sg.bin`]
    let samples = 0
    const { signal } = new AbortController()
    const count = (piece: PieceOfSound) => {
      samples += piece.samples.length
    }
    await thread.execute({ phrase: { files, text: 'Ja.' }, onSound: count, signal })
    return samples
  }
  await expect(speak('de-DE', 'gl0')).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(
      /files of @parlando\/voices are missing or damaged. Install that/,
    ),
  })
  expect(await speak('it-IT', 'cm0')).toBeGreaterThan(0)
  await writeFile(path, bytes)
  expect(await speak('de-DE', 'gl0')).toBeGreaterThan(0)
})
