import { createEngineApp, post } from '@parlando/test-support/local-service/test-app'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUpstreamEngine } from './parlando-engine.ts'

const nova = { voiceId: 'Nova', displayName: 'Nova', langCode: 'DE_DE' }
const tone = Buffer.from(
  Int16Array.from({ length: 4800 }, (_, at) => (at % 2 ? 9000 : -9000)).buffer,
)

describe('a service with an upstream', () => {
  const serve = async (
    voices: object[] = [nova, { voiceId: 'Clara', displayName: 'Other' }],
    speech = audioLine(tone),
    status = 200,
    headers: Record<string, string> = {},
  ) => {
    const server = await startTestServer((response, { method }) => {
      if (method !== 'POST') return void response.end(JSON.stringify({ voices }))
      response.writeHead(status, headers).end(speech)
    })
    const engine = await createUpstreamEngine({ baseUrl: server.baseUrl, warn: () => {} })
    onTestFinished(() => engine.close())
    return { ...createEngineApp(engine), server }
  }

  it('lists its own voices first and prefers them when ids are equal', async () => {
    const { app } = await serve()
    const response = await app.request('/voices/v1/voices')
    const { voices } = (await response.json()) as { voices: (typeof nova)[] }
    const names = voices.map(({ displayName }) => displayName)
    expect(names.filter((name) => name === 'Clara')).toEqual(['Clara'])
    expect(names).not.toContain('Other')
    expect(names.at(-1)).toBe('Nova')
    expect(await (await app.request('/voices/v1/voices/Nova')).json()).toMatchObject(nova)
  })

  it('accepts every language for a voice whose language is unknown', async () => {
    const { app } = await serve([{ voiceId: 'Polly', displayName: 'Polly' }])
    const statusOf = async (language: string) => {
      const body = { text: 'Hello.', voiceId: 'Polly', modelId: 'svc-tts-2', language }
      return (await post(app, '/tts/v1/voice', body)).status
    }
    expect(await statusOf('en-US')).toBe(200)
    expect(await statusOf('English, please')).toBe(400)
  })

  it('passes on the warnings of the upstream, but not its long ones', async () => {
    const skipped = { code: 'skipped-characters', message: 'Nova skips “世”', characters: '世' }
    const sent = [skipped, { code: 'new', message: 'x'.repeat(2000) }, skipped]
    const header = JSON.stringify(sent).replace(/[^\x20-\x7e]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16)}`
    })
    const { app } = await serve([nova], audioLine(tone), 200, { 'x-parlando-warnings': header })
    for (const path of ['/tts/v1/voice', '/tts/v1/voice:stream']) {
      const body = { text: 'Der Ort heißt 世.', voiceId: 'Nova', modelId: 'svc-tts-2' }
      const response = await post(app, path, body)
      expect(JSON.parse(response.headers.get('x-parlando-warnings') ?? '')).toEqual([skipped])
    }
  })

  it('has no times of words if the upstream has none', async () => {
    const warning = { code: 'no-word-times', message: 'The voice Nova does not report them' }
    const headers = { 'x-parlando-warnings': JSON.stringify([warning]) }
    const { app } = await serve([nova], audioLine(tone), 200, headers)
    for (const path of ['/tts/v1/voice', '/tts/v1/voice:stream']) {
      const body = { text: 'Hallo.', voiceId: 'Nova', modelId: 'svc-tts-2', timestampType: 'WORD' }
      const spoken = await (await post(app, path, body)).text()
      expect(spoken).toContain('audioContent')
      expect(spoken).not.toContain('timestampInfo')
    }
  })

  it('sends a text of several sentences to the upstream as a whole', async () => {
    const { app, server, failures } = await serve()
    const text = 'Der erste Satz. Der zweite, 今日は世界!\n\nUnd ein dritter.'
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
    const body = { text, voiceId: 'Nova', modelId: 'svc-tts-2', audioConfig }
    const response = await post(app, '/tts/v1/voice', body)
    expect(response.status).toBe(200)
    const { audioContent } = (await response.json()) as { audioContent: string }
    const seconds = Buffer.from(audioContent, 'base64').length / 48_000
    expect(seconds).toBeGreaterThan(0.19)
    expect(seconds).toBeLessThan(0.8)
    expect(server.requests.slice(1)).toMatchObject([{ body: { text, voiceId: 'Nova' } }])
    expect(failures).toEqual([])
  })

  it.each([302, 304, 700])(
    'responds with 502 when the upstream responds with %i',
    async (status) => {
      const { app, failures } = await serve([nova], '', status)
      const body = { text: 'Hallo.', voiceId: 'Nova', modelId: 'svc-tts-2' }
      const response = await post(app, '/tts/v1/voice', body)
      expect(response.status).toBe(502)
      const message = expect.stringContaining(`responds with status ${status}. Check --upstream`)
      expect(await response.json()).toMatchObject({ code: 13, message })
      expect(failures).toEqual([])
    },
  )

  it('passes on the Retry-After of the upstream', async () => {
    const { app } = await serve([nova], '', 429, { 'retry-after': '31' })
    const body = { text: 'Hallo.', voiceId: 'Nova', modelId: 'svc-tts-2' }
    const response = await post(app, '/tts/v1/voice', body)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '31'])
  })

  it('sends word times in order and within the audio, even if those of the upstream are not', async () => {
    const starts = [0.1, 7, 0.05, -3, 0.12, null, 0.3, 1e300]
    const wordAlignment = {
      words: ['two', 'far', 'one', 'minus', 'three', 'none', 'silent', 'end'],
      wordStartTimeSeconds: starts,
      wordEndTimeSeconds: starts.map((start) => start && start + 0.01),
    }
    const withWords = audioLine(tone, { timestampInfo: { wordAlignment } })
    const silence = audioLine(Buffer.alloc(24_000))
    const { app } = await serve([nova], withWords + silence)
    const text = 'A sentence. '.repeat(200)
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
    const words = { timestampType: 'WORD', audioConfig }
    const body = { text, voiceId: 'Nova', modelId: 'svc-tts-2', ...words }
    const response = await post(app, '/tts/v1/voice', body)
    const { audioContent, timestampInfo } = (await response.json()) as {
      audioContent: string
      timestampInfo: { wordAlignment: { words: string[]; wordStartTimeSeconds: number[] } }
    }
    const { words: sent, wordStartTimeSeconds: times } = timestampInfo.wordAlignment
    expect(sent.join(' ')).toBe('one two three silent one two three silent')
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    const seconds = Buffer.from(audioContent, 'base64').length / 48_000
    expect(times.at(-1)).toBeLessThanOrEqual(seconds)
  })
})
