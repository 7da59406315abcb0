import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LocalService, startLocalService } from '../../service.ts'
import { library } from '../../voices/library.ts'

const apiKey = keys.service
let service: LocalService

beforeAll(async () => {
  service = await startLocalService({ apiKey })
})

afterAll(() => service.close())

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.baseUrl + path, { headers })
}

async function speak(): Promise<void> {
  const response = await fetch(`${service.baseUrl}/tts/v1/voice:stream`, {
    method: 'POST',
    headers: { authorization: `Basic ${apiKey}` },
    body: JSON.stringify(speechRequest),
  })
  await response.text()
}

/** The values by metric name with labels. */
async function readMetrics(): Promise<Map<string, number>> {
  const text = await (await get('/metrics', { authorization: `Bearer ${apiKey}` })).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

describe('/metrics', () => {
  it('counts requests and speech, but not the warm-up', async () => {
    // Between two phrases of the warm-up, none runs for a moment.
    let idleReads = 0
    const readIdle = async () => {
      const metrics = await readMetrics()
      const hasStarted = metrics.get('parlando_engine_threads{engine="flite"}')! > 0
      const isIdle = hasStarted && metrics.get('parlando_running_phrases{engine="flite"}') === 0
      idleReads = isIdle ? idleReads + 1 : 0
      expect(idleReads).toBe(5)
    }
    await vi.waitFor(readIdle, { timeout: 60_000, interval: 20 })
    const before = await readMetrics()
    expect([...before.keys()].filter((name) => /first_audio|tts/.test(name))).toEqual([])
    await speak()
    await speak()
    await get('/no/such/path', { authorization: `Basic ${apiKey}` })
    await fetch(`${service.baseUrl}/voices/v1/voices/Nobody:publish`, {
      method: 'POST',
      headers: { authorization: `Basic ${apiKey}` },
      body: '{}',
    })
    const after = await readMetrics()
    const spoken = 'method="POST",route="/tts/v1/voice:stream",status="200"'
    expect(after.get(`parlando_requests_total{${spoken}}`)).toBe(2)
    expect(after.get('parlando_requests_total{method="GET",route="none",status="404"}')).toBe(1)
    const published = 'method="POST",route="/voices/v1/voices/:voiceId:publish"'
    expect([...after.keys()].filter((name) => name.includes(published))).toHaveLength(1)
    expect(after.get('parlando_first_audio_seconds_count{model="svc-tts-2"}')).toBe(2)
    expect(after.get('parlando_characters_total{model="svc-tts-2"}')).toBe(
      2 * speechRequest.text.length,
    )
    const seconds = after.get('parlando_audio_seconds_total{model="svc-tts-2"}')
    expect(seconds).toBeGreaterThan(2)
    expect(seconds).toBeLessThan(5)
  })

  it('reports waiting phrases, the number of voices and the memory in use', async () => {
    const metrics = await vi.waitFor(async () => {
      const metrics = await readMetrics()
      expect(metrics.get('parlando_running_phrases{engine="flite"}')).toBe(0)
      return metrics
    }, 60_000)
    expect(metrics.get('parlando_waiting_phrases{engine="flite"}')).toBe(0)
    // They are those of the library, Heart, and five of Pico.
    expect(metrics.get('parlando_voices')).toBe(library.length + 6)
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  })

  it('counts the fields that the service ignored', async () => {
    const response = await get('/voices/v1/voices?page=1&size=2', {
      authorization: `Basic ${apiKey}`,
    })
    expect(response.headers.get('x-parlando-ignored')).toBe('page, size')
    const ignored = 'parlando_ignored_fields_total{route="/voices/v1/voices"}'
    expect((await readMetrics()).get(ignored)).toBe(2)
  })

  it('requires the key of the service', async () => {
    expect((await get('/metrics')).status).toBe(401)
  })

  it('counts callers that disconnect before or during their response', async () => {
    const text = `${speechRequest.text} `.repeat(50)
    const send = (path: string, signal: AbortSignal) =>
      fetch(service.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Basic ${apiKey}` },
        body: JSON.stringify({ ...speechRequest, text }),
        signal,
      })
    const disconnects = (route: string) =>
      `parlando_requests_total{method="POST",route="${route}",status="499"}`
    const early = new AbortController()
    const whole = send('/tts/v1/voice', early.signal)
    await vi.waitFor(async () => {
      const running = (await readMetrics()).get('parlando_running_phrases{engine="flite"}')
      expect(running).toBeGreaterThan(0)
    })
    early.abort()
    await expect(whole).rejects.toThrow(/aborted/)
    const late = new AbortController()
    const streamed = await send('/tts/v1/voice:stream', late.signal)
    await streamed.body!.getReader().read()
    late.abort()
    await vi.waitFor(async () => {
      const metrics = await readMetrics()
      expect(metrics.get(disconnects('/tts/v1/voice'))).toBe(1)
      expect(metrics.get(disconnects('/tts/v1/voice:stream'))).toBe(1)
    })
  })
})

describe('/healthz', () => {
  it('reports without a key that the service can speak', async () => {
    const response = await get('/healthz')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      engines: ['flite', 'hibari', 'pico'],
      // The machine decides which ones there are.
      recognisers: expect.any(Array),
      voices: library.length + 6,
    })
  })
})

describe('X-Request-Id', () => {
  it("is the caller's own, also on an error", async () => {
    const response = await get('/no/such/path', { 'x-request-id': 'mine-1' })
    expect([response.status, response.headers.get('x-request-id')]).toEqual([401, 'mine-1'])
  })

  it('is generated if the caller sends none or an invalid one', async () => {
    for (const id of ['', 'a b', 'x'.repeat(300)]) {
      const response = await get('/healthz', { 'x-request-id': id })
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})
