import { serve } from '@hono/node-server'
import { readWavHeader } from '@parlando/core/audio'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApp } from './app.ts'
import type { Engine } from './engines/engine.ts'
import { createFliteEngine } from './engines/flite/flite-engine.ts'
import { createScheduler, type Scheduler } from './speech/scheduler.ts'

const speech = { text: 'The laundry is done.', voiceId: 'Clara', modelId: 'svc-tts-2' }

let engine: Engine
let scheduler: Scheduler
let app: Hono
const failures: unknown[] = []

beforeAll(async () => {
  engine = await createFliteEngine()
  scheduler = createScheduler(1)
  const engines = new Map([['flite', engine]])
  app = createApp({ engines, scheduler, onFailure: (error) => failures.push(error) })
})
afterAll(async () => {
  await engine.close()
  expect(failures).toEqual([])
})

function post(path: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  return Promise.resolve(app.request(path, { method: 'POST', body: text, headers }))
}

async function whole(audioConfig: object): Promise<Buffer> {
  const response = await post('/tts/v1/voice', { ...speech, audioConfig })
  expect(response.status).toBe(200)
  const { audioContent } = (await response.json()) as { audioContent: string }
  return Buffer.from(audioContent, 'base64')
}

async function streamed(audioConfig: object, text = speech.text): Promise<Buffer[]> {
  const response = await post('/tts/v1/voice:stream', { ...speech, text, audioConfig })
  expect(response.status).toBe(200)
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => Buffer.from(JSON.parse(line).result.audioContent, 'base64'))
}

describe('speech', () => {
  it('is an MP3 file when nothing else is asked for', async () => {
    const audio = await whole({})
    expect(audio.readUInt16BE(0) & 0xffe0).toBe(0xffe0)
  })

  it('is a WAV file of the true length for WAV and LINEAR16', async () => {
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
    'is as long at %i Hz as at any rate',
    async (sampleRateHertz) => {
      const seconds = async (rate: number) =>
        (await whole({ audioEncoding: 'PCM', sampleRateHertz: rate })).length / 2 / rate
      expect(await seconds(sampleRateHertz)).toBeCloseTo(await seconds(16000), 2)
    },
  )

  it('has the same bytes streamed as whole', async () => {
    const text = `${speech.text} And there is more of it, so that it takes several phrases to say.`
    for (const audioEncoding of ['PCM', 'MP3']) {
      const audioConfig = { audioEncoding, sampleRateHertz: 24000 }
      const response = await post('/tts/v1/voice', { ...speech, text, audioConfig })
      const { audioContent } = (await response.json()) as { audioContent: string }
      const joined = Buffer.concat(await streamed(audioConfig, text))
      expect(joined.equals(Buffer.from(audioContent, 'base64'))).toBe(true)
    }
  })

  it('tells how many characters it counted and by which model', async () => {
    const response = await post('/tts/v1/voice', speech)
    expect(await response.json()).toMatchObject({
      usage: { processedCharactersCount: speech.text.length, modelId: speech.modelId },
    })
  })

  it('ends with an error line when the engine fails in the middle, and tells the log why', async () => {
    const failure = new Error('out of breath')
    let phrases = 0
    const speakPhrase: Engine['speakPhrase'] = (voice, phrase) =>
      ++phrases > 2 ? Promise.reject(failure) : engine.speakPhrase(voice, phrase)
    const engines = new Map([['flite', { ...engine, speakPhrase }]])
    const told: unknown[] = []
    const failing = createApp({ engines, scheduler, onFailure: (error) => told.push(error) })
    const body = JSON.stringify({ ...speech, text: 'One. Two. Three. Four.' })
    const response = await failing.request('/tts/v1/voice:stream', { method: 'POST', body })
    const lines = (await response.text()).trimEnd().split('\n')
    expect(JSON.parse(lines.at(0)!)).toHaveProperty('result.audioContent')
    expect(JSON.parse(lines.at(-1)!)).toEqual({
      error: { code: 13, message: expect.not.stringContaining('breath'), details: [] },
    })
    expect(lines.filter((line) => line.includes('"error"')).length).toBe(1)
    expect(told).toEqual([failure])
  })

  it.each([
    ['/tts/v1/voice', 60],
    ['/tts/v1/voice:stream', 1000],
  ])('stops when the listener goes away: %s', async (path, sentences) => {
    let phrases = 0
    const speakPhrase: Engine['speakPhrase'] = (voice, phrase) => {
      phrases += 1
      return engine.speakPhrase(voice, phrase)
    }
    const engines = new Map([['flite', { ...engine, speakPhrase }]])
    const counting = createApp({ engines, scheduler, onFailure: (error) => failures.push(error) })
    const server = serve({ fetch: counting.fetch, port: 0, hostname: '127.0.0.1' })
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }

    const leave = new AbortController()
    const text = 'This sentence goes on and on. '.repeat(sentences)
    const asking = fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      body: JSON.stringify({ ...speech, text }),
      signal: leave.signal,
    }).catch(() => {})
    await vi.waitFor(() => expect(phrases).toBeGreaterThan(3))
    leave.abort()
    await asking
    await vi.waitFor(() => expect(scheduler.waiting).toBe(0))
    await engine.speakPhrase('slt', 'Whatever was being spoken has ended when this is')
    const spoken = phrases
    await engine.speakPhrase('slt', 'And nothing more is spoken meanwhile, however long it takes')
    expect(phrases).toBe(spoken)
    expect(phrases).toBeLessThan(sentences / 2)
  })
})

describe('a request that cannot be served', () => {
  it.each([
    ['a body that is not JSON', 400, 3, '{"text":', /not JSON/],
    ['a body that is no object', 400, 3, '[]', /./],
    ['no text', 400, 3, { ...speech, text: undefined }, /text/],
    ['an empty text', 400, 3, { ...speech, text: ' \n' }, /text: there is no text/],
    ['a text that is no text', 400, 3, { ...speech, text: 7 }, /text/],
    ['text in another script', 400, 3, { ...speech, text: '今日は' }, /cannot say/],
    ['nothing to say', 400, 3, { ...speech, text: '?!' }, /no letter/],
    ['an unknown voice', 404, 5, { ...speech, voiceId: 'Nobody' }, /Nobody.*Clara/],
    ['an unknown model', 400, 3, { ...speech, modelId: 'svc-tts-9' }, /svc-tts-9.*svc-tts-2/],
    ['a misspelt field', 400, 3, { ...speech, voiceID: 'Clara' }, /voiceID/],
    ['a rate of its own', 400, 3, { ...speech, audioConfig: { sampleRateHertz: 1 } }, /sampleRate/],
    [
      'a rate the encoding cannot carry',
      400,
      3,
      { ...speech, audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 8000 } },
      /MP3 cannot carry 8000/,
    ],
    ['an encoding', 501, 12, { ...speech, audioConfig: { audioEncoding: 'FLAC' } }, /FLAC/],
    ['a speaking rate', 501, 12, { ...speech, audioConfig: { speakingRate: 1.2 } }, /speakingRate/],
    ['timestamps', 501, 12, { ...speech, timestampType: 'WORD' }, /timestampType/],
    ['another language', 501, 12, { ...speech, language: 'de-DE' }, /language de-DE/],
  ])('is answered with a fitting status: %s', async (_what, status, code, body, message) => {
    for (const path of ['/tts/v1/voice', '/tts/v1/voice:stream']) {
      const response = await post(path, body)
      expect(response.status).toBe(status)
      const problem = await response.json()
      expect(problem).toEqual({ code, message: expect.stringMatching(message), details: [] })
    }
  })

  it('is refused when it is too large', async () => {
    const response = await post('/tts/v1/voice:stream', { ...speech, text: 'a'.repeat(2_000_000) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: /larger than/ })
  })

  it('is refused when the text is too long for one answer, and streams', async () => {
    const text = 'A word. '.repeat(600)
    expect((await post('/tts/v1/voice', { ...speech, text })).status).toBe(400)
    const response = await post('/tts/v1/voice:stream', { ...speech, text })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('is told when there is nothing at its address', async () => {
    const response = await app.request('/tts/v2/voice')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 5, message: /GET \/tts\/v2\/voice/ })
  })
})

describe('voices', () => {
  const list = async (query = '') => {
    const response = await app.request(`/voices/v1/voices${query}`)
    return (await response.json()) as { voices: { voiceId: string }[]; totalSize: number }
  }

  it('are listed with what tells them apart', async () => {
    const { voices, totalSize } = await list()
    expect(totalSize).toBe(voices.length)
    expect(voices).toContainEqual(
      expect.objectContaining({ voiceId: 'Clara', langCode: 'EN_US', gender: 'female' }),
    )
  })

  it.each([
    ['?languages=EN_US', 4],
    ['?languages=en-us', 4],
    ['?languages=DE_DE', 0],
    ['?languages=DE_DE&languages=EN_US', 4],
  ])('are narrowed by language: %s', async (query, count) => {
    expect((await list(query)).voices.length).toBe(count)
  })

  it('all speak, and about as loud as each other', async () => {
    const levels: number[] = []
    for (const { voiceId } of (await list()).voices) {
      const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16000 }
      const response = await post('/tts/v1/voice', { ...speech, voiceId, audioConfig })
      const { audioContent } = (await response.json()) as { audioContent: string }
      const pcm = Buffer.from(audioContent, 'base64')
      let power = 0
      for (let at = 0; at < pcm.length; at += 2) power += (pcm.readInt16LE(at) / 32768) ** 2
      levels.push(Math.sqrt(power / (pcm.length / 2)))
    }
    expect(Math.min(...levels)).toBeGreaterThan(0.05)
    expect(Math.max(...levels) / Math.min(...levels)).toBeLessThan(1.6)
  })
})

describe('a service with a key', () => {
  const get = (authorization?: string) => {
    const options = { engines: new Map(), scheduler, onFailure: () => {}, apiKey: 'a2V5' }
    const headers: Record<string, string> = authorization ? { authorization } : {}
    return createApp(options).request('/voices/v1/voices', { headers })
  }

  it('lets the key in', async () => {
    expect((await get('Basic a2V5')).status).toBe(200)
  })

  it.each([undefined, 'Basic other', 'Bearer a2V5', 'a2V5'])('keeps %j out', async (header) => {
    const response = await get(header)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 16 })
  })
})
