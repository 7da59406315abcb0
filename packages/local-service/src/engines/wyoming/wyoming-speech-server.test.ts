import { toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import {
  artifact,
  startWyomingServer,
} from '@parlando/test-support/local-service/wyoming/wyoming-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { audioFormat } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { wyoming } from './wyoming.ts'

const rateHertz = 22_050
const format = audioFormat(rateHertz)
const tone = toneOfText('Good morning', rateHertz)

const voices = [
  artifact('de_DE-thorsten-medium', { languages: ['de_DE'] }),
  artifact('en_US-libritts', { languages: ['en_US'], speakers: [{ name: 'a' }, { name: 'b' }] }),
  artifact('fr_FR-siwis', { languages: ['fr_FR'], installed: false }),
  artifact('many', { languages: ['de', 'en', 'fr'] }),
]
const info = {
  asr: [artifact('whisper', { models: [] })],
  tts: [artifact('piper', { voices }), artifact('other', { installed: false, voices })],
}

async function speakTone(connection: WyomingConnection): Promise<void> {
  await connection.send({ type: 'audio-start', data: format })
  await connection.send({ type: 'audio-chunk', data: format, payload: tone })
  await connection.send({ type: 'audio-stop' })
}

async function open(respond: (connection: WyomingConnection) => Promise<void> | void = speakTone) {
  const server = await startWyomingServer(async ({ type }, connection) => {
    if (type === 'describe') await connection.send({ type: 'info', data: info })
    if (type === 'synthesize') await respond(connection)
  })
  const warn = (problem: string) => {
    throw new Error(problem)
  }
  const engine = (await wyoming.start({ options: { wyomingSpeech: server.address }, warn }))!
  onTestFinished(() => engine.close())
  let samples = 0
  const speak = (voice = 'wyoming-many', signal = new AbortController().signal) =>
    engine.speakPhrase({
      voice,
      text: '**Guten** Tag',
      modelId: 'svc-tts-2',
      withWords: false,
      signal,
      onSound: (sound) => {
        samples += sound.samples.length
      },
    })
  return { server, engine, speak, seconds: () => samples / engine.sampleRateHertz }
}

describe('a Wyoming server', () => {
  it('gets the text spelled out for its English voices', async () => {
    const { engine } = await open()
    expect(engine.spellsOut!('wyoming-en_US-libritts-a')).toBe(true)
    expect(engine.spellsOut!('wyoming-de_DE-thorsten-medium')).toBe(false)
    expect(engine.spellsOut!('wyoming-many')).toBe(false)
  })

  it('offers its installed voices, each speaker as a voice', async () => {
    const { engine } = await open()
    expect(engine.voices.map(({ name, langCode }) => [name, langCode])).toEqual([
      ['wyoming-de_DE-thorsten-medium', 'DE_DE'],
      ['wyoming-en_US-libritts-a', 'EN_US'],
      ['wyoming-en_US-libritts-b', 'EN_US'],
      ['wyoming-many', 'AUTO'],
    ])
  })

  it('speaks with the voice and the speaker, without Markdown', async () => {
    const { server, speak, seconds } = await open()
    await speak('wyoming-en_US-libritts-b')
    expect(server.events.at(-1)).toMatchObject({
      type: 'synthesize',
      data: { text: 'Guten Tag', voice: { name: 'en_US-libritts', speaker: 'b' } },
    })
    expect(seconds()).toBeCloseTo(1.5, 2)
    await expect.poll(server.openSockets, { timeout: 30_000 }).toBe(0)
  })

  it('may send the audio of several sentences, at different rates, with unknown events between', async () => {
    const { speak, seconds } = await open(async (connection) => {
      const other = audioFormat(16_000)
      await connection.send({ type: 'audio-start', data: format })
      await connection.send({ type: 'audio-chunk', data: format, payload: tone })
      await connection.send({ type: 'a-later-version', data: { text: 'x' } })
      const payload = toneOfText('Other', 16_000)
      await connection.send({ type: 'audio-chunk', data: other, payload })
      await connection.send({ type: 'audio-stop' })
    })
    await speak()
    expect(seconds()).toBeCloseTo(3, 2)
  })

  it('may send stereo', async () => {
    const { speak, seconds } = await open(async (connection) => {
      const data = { ...format, channels: 2 }
      await connection.send({ type: 'audio-chunk', data, payload: tone })
      await connection.send({ type: 'audio-stop' })
    })
    await speak()
    expect(seconds()).toBeCloseTo(0.75, 2)
  })

  it.each<[string, (connection: WyomingConnection) => Promise<void> | void, RegExp]>([
    [
      'reports an error',
      (connection) => connection.send({ type: 'error', data: { text: 'no such voice' } }),
      /reports an error: no such voice$/,
    ],
    ['sends no audio', (connection) => connection.send({ type: 'audio-stop' }), /sent no audio$/],
    [
      'sends samples of 32 bits',
      (connection) =>
        connection.send({ type: 'audio-chunk', data: { ...format, width: 4 }, payload: tone }),
      /sent audio that is not PCM with 16 bits$/,
    ],
    ['closes the connection', (connection) => connection.end(), /cannot be reached \(it closed/],
    [
      'closes the connection within the audio',
      async (connection) => {
        await connection.send({ type: 'audio-chunk', data: format, payload: tone })
        connection.end()
      },
      /closed the connection in the middle of the speech$/,
    ],
  ])('fails with the address if it %s', async (_what, respond, message) => {
    const { speak, server } = await open(respond)
    await expect(speak()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(message),
    })
    await expect(speak()).rejects.toThrow(server.address)
  })

  it('is disconnected after an abort', async () => {
    const abort = new AbortController()
    const { speak, server } = await open(() => abort.abort(new Error('enough')))
    await expect(speak(undefined, abort.signal)).rejects.toThrow('enough')
    await expect.poll(server.openSockets, { timeout: 30_000 }).toBe(0)
  })
})
