import { serve } from '@hono/node-server'
import { completeFile, readWavHeader } from '@parlando/core/audio'
import {
  createTestApp,
  speakBytes,
  speechRequest,
  useTestApp,
} from '@parlando/test-support/local-service/test-app'
import type { Hono } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from '../../engines/engine.ts'
import { Scheduler } from '../../engines/schedule/scheduler.ts'

const testApp = useTestApp()

async function whole(audioConfig: object): Promise<Buffer> {
  const response = await testApp.post('/tts/v1/voice', { ...speechRequest, audioConfig })
  expect(response.status).toBe(200)
  const { audioContent } = (await response.json()) as { audioContent: string }
  return Buffer.from(audioContent, 'base64')
}

async function streamed(audioConfig: object, text = speechRequest.text): Promise<Buffer[]> {
  const response = await testApp.post('/tts/v1/voice:stream', {
    ...speechRequest,
    text,
    audioConfig,
  })
  expect(response.status).toBe(200)
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => Buffer.from(JSON.parse(line).result.audioContent, 'base64'))
}

describe('speech', () => {
  it('is an MP3 file by default', async () => {
    const audio = await whole({})
    expect(audio.readUInt16BE(0) & 0xffe0).toBe(0xffe0)
  })

  it('is a WAV file of the correct length for WAV and LINEAR16', async () => {
    for (const audioEncoding of ['WAV', 'LINEAR16']) {
      const audio = await whole({ audioEncoding, sampleRateHertz: 24000 })
      expect(readWavHeader(audio)).toMatchObject({
        sampleRateHertz: 24000,
        dataBytes: audio.length - 44,
      })
    }
  })

  it('has the headers of the protocol in a stream', async () => {
    const ratesInHeaders = async (audioEncoding: string) => {
      const chunks = await streamed({ audioEncoding, sampleRateHertz: 16000 })
      expect(chunks.length).toBeGreaterThan(2)
      return chunks.map((chunk) => readWavHeader(chunk)?.sampleRateHertz)
    }
    expect(new Set(await ratesInHeaders('LINEAR16'))).toEqual(new Set([16000]))
    expect(new Set(await ratesInHeaders('PCM'))).toEqual(new Set([undefined]))
    const [first, ...later] = await ratesInHeaders('WAV')
    expect(first).toBe(16000)
    expect(new Set(later)).toEqual(new Set([undefined]))
  })

  it.each([8000, 16000, 22050, 24000, 32000, 44100, 48000])(
    'has the same duration at %i Hz as at other rates',
    async (sampleRateHertz) => {
      const seconds = async (rate: number) =>
        (await whole({ audioEncoding: 'PCM', sampleRateHertz: rate })).length / 2 / rate
      expect(await seconds(sampleRateHertz)).toBeCloseTo(await seconds(16000), 2)
    },
  )

  it('has the same bytes with and without streaming, but for the length in its header', async () => {
    const text = `${speechRequest.text} And there is more of it, so that it takes several phrases to say.`
    for (const audioEncoding of ['PCM', 'MP3'] as const) {
      const audioConfig = { audioEncoding, sampleRateHertz: 24000 }
      const response = await testApp.post('/tts/v1/voice', { ...speechRequest, text, audioConfig })
      const { audioContent } = (await response.json()) as { audioContent: string }
      const joined = completeFile(audioEncoding, Buffer.concat(await streamed(audioConfig, text)))
      expect(Buffer.from(audioContent, 'base64').equals(joined)).toBe(true)
    }
  })

  it.each(['/tts/v1/voice', '/tts/v1/voice:stream'])(
    'has a header with warnings if the voice skips characters or speaks another language: %s',
    async (path) => {
      const warningsOf = async (text: string) => {
        const response = await testApp.post(path, { ...speechRequest, text })
        expect(response.status).toBe(200)
        await response.arrayBuffer()
        return JSON.parse(response.headers.get('x-parlando-warnings') ?? '[]')
      }
      expect(await warningsOf('The 猫 is hungry, 12 µg/m³')).toEqual([
        {
          code: 'skipped-characters',
          message: 'The voice Clara cannot say 猫, and skips these characters',
          characters: '猫',
        },
      ])
      expect(await warningsOf('Die Waschmaschine ist fertig.')).toMatchObject([
        { code: 'other-language', language: 'de', message: expect.stringMatching(/German.*Clara/) },
      ])
      expect(await warningsOf(speechRequest.text)).toEqual([])
    },
  )

  it('reports the number of characters and the model', async () => {
    const response = await testApp.post('/tts/v1/voice', speechRequest)
    expect(await response.json()).toMatchObject({
      usage: {
        processedCharactersCount: speechRequest.text.length,
        modelId: speechRequest.modelId,
      },
    })
  })

  it('ends with an error line when the engine fails in the middle, and reports the error', async () => {
    const failure = new Error('out of breath')
    let phrases = 0
    const { engine, scheduler } = testApp.flite
    const speakPhrase: Engine['speakPhrase'] = (phrase) =>
      ++phrases > 2 ? Promise.reject(failure) : engine.speakPhrase(phrase)
    const reported: unknown[] = []
    const flite = { engine: { ...engine, speakPhrase }, scheduler }
    const failing = createTestApp(flite, (error) => reported.push(error))
    const body = JSON.stringify({ ...speechRequest, text: 'One. Two. Three. Four.' })
    const response = await failing.request('/tts/v1/voice:stream', { method: 'POST', body })
    const lines = (await response.text()).trimEnd().split('\n')
    expect(JSON.parse(lines.at(0)!)).toHaveProperty('result.audioContent')
    expect(JSON.parse(lines.at(-1)!)).toEqual({
      error: { code: 13, message: expect.not.stringContaining('breath'), details: [] },
    })
    expect(lines.filter((line) => line.includes('"error"')).length).toBe(1)
    expect(reported).toEqual([failure])
  })

  it.each([
    ['/tts/v1/voice', 60],
    ['/tts/v1/voice:stream', 1000],
  ])('stops when the caller disconnects: %s', async (path, sentences) => {
    let phrases = 0
    const { engine, scheduler } = testApp.flite
    const speakPhrase: Engine['speakPhrase'] = (phrase) => {
      phrases += 1
      return engine.speakPhrase(phrase)
    }
    const failures: unknown[] = []
    const flite = { engine: { ...engine, speakPhrase }, scheduler }
    const counting = createTestApp(flite, (error) => failures.push(error))
    const baseUrl = await listen(counting)

    const disconnect = new AbortController()
    const text = 'This sentence goes on and on. '.repeat(sentences)
    const request = fetch(baseUrl + path, {
      method: 'POST',
      body: JSON.stringify({ ...speechRequest, text }),
      signal: disconnect.signal,
    }).catch(() => {})
    await vi.waitFor(() => expect(phrases).toBeGreaterThan(3), 30_000)
    disconnect.abort()
    await request
    await vi.waitFor(() => expect(scheduler.waiting).toBe(0))
    await speakBytes(engine, 'slt', 'The phrase before this one has ended when this one has')
    const spoken = phrases
    await speakBytes(engine, 'slt', 'Nothing else is spoken at the same time as this sentence')
    expect(phrases).toBe(spoken)
    expect(phrases).toBeLessThan(sentences / 2)
    expect(failures).toEqual([])
  })

  it.each(['/tts/v1/voice', '/tts/v1/voice:stream', '/v1/audio/speech'])(
    'is removed from the queue when the caller disconnects: %s',
    async (path) => {
      const failures: unknown[] = []
      const scheduler = new Scheduler(1)
      const flite = { engine: testApp.flite.engine, scheduler }
      const baseUrl = await listen(createTestApp(flite, (error) => failures.push(error)))
      let end = () => {}
      const others = scheduler.schedule({
        isFirst: true,
        signal: new AbortController().signal,
        run: () => new Promise<void>((resolve) => (end = resolve)),
      })
      const disconnect = new AbortController()
      const { text: input, voiceId: voice, modelId: model } = speechRequest
      const body = path.startsWith('/v1/') ? { input, voice, model } : speechRequest
      const request = fetch(baseUrl + path, {
        method: 'POST',
        body: JSON.stringify(body),
        signal: disconnect.signal,
      }).catch(() => {})
      await vi.waitFor(() => expect(scheduler.waiting).toBe(1))
      disconnect.abort()
      await request
      await vi.waitFor(() => expect(scheduler.waiting).toBe(0))
      expect(scheduler.running).toBe(1)
      end()
      await others
      expect(failures).toEqual([])
    },
  )
})

async function listen(app: Hono): Promise<string> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}

it('a word of 60,000 letters does not delay a short text', async () => {
  const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16000 }
  const text = 'a'.repeat(60_000)
  const long = await testApp.post('/tts/v1/voice:stream', { ...speechRequest, text, audioConfig })
  expect(long.status).toBe(200)
  const lines = long.body!.getReader()
  await lines.read()
  let isLongRunning = true
  const reading = (async () => {
    while (!(await lines.read()).done);
    isLongRunning = false
  })()

  for (let count = 0; count < 3; count++)
    expect((await whole(audioConfig)).length).toBeGreaterThan(1000)
  expect(isLongRunning).toBe(true)
  await lines.cancel()
  await reading
})
