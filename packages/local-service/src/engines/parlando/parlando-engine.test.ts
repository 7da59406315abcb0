import {
  nova,
  startUpstreamEngine,
  tone,
} from '@parlando/test-support/local-service/upstream/upstream-engine'
import { keys } from '@parlando/test-support/secrets/keys'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUpstreamEngine } from './parlando-engine.ts'

const apiKey = keys.upstream

describe('the upstream engine', () => {
  it('offers the voices of the other service unchanged', async () => {
    const { engine, server } = await startUpstreamEngine()
    expect(engine.voices).toMatchObject([
      { name: 'Nova', langCode: 'DE_DE', voice: nova },
      { name: 'Clara', langCode: 'AUTO' },
    ])
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${apiKey}`)
  })

  it('sends the text, the model and the upstream key', async () => {
    const { server, phrase, sounds } = await startUpstreamEngine()
    await phrase()
    expect(server.requests[1]).toMatchObject({
      url: '/tts/v1/voice:stream',
      headers: { authorization: `Basic ${apiKey}` },
    })
    expect(server.requests[1]?.body).toEqual({
      text: 'Guten Tag.',
      voiceId: 'Nova',
      modelId: 'svc-tts-2-flash',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
    })
    expect(sounds.length).toBe(1)
    expect(sounds[0]?.samples.length).toBe(4800)
    expect(sounds[0]?.samples[1]).toBeCloseTo(9000 / 32768, 6)
  })

  it('delivers each chunk before the next one arrives, with its words if requested', async () => {
    let write = () => {}
    const timestampInfo = {
      wordAlignment: {
        words: ['Guten', ' ', 'Tag', '.'],
        wordStartTimeSeconds: [0, 0.1, 0.1, 0.2],
        wordEndTimeSeconds: [0.1, 0.1, 0.2, 0.2],
      },
    }
    const { server, phrase } = await startUpstreamEngine((response) => {
      const lines = [audioLine(tone, { timestampInfo }), audioLine(tone)]
      write = () => {
        const line = lines.shift()
        if (line) response.write(line)
        else response.end()
      }
      write()
    })
    const received: (readonly unknown[] | undefined)[] = []
    await phrase({
      withWords: true,
      onSound({ words }) {
        received.push(words)
        write()
      },
    })
    expect(received).toEqual([
      [
        { text: 'Guten', startSeconds: 0, endSeconds: 0.1 },
        { text: 'Tag', startSeconds: 0.1, endSeconds: 0.2 },
      ],
      [],
    ])
    expect(server.requests[1]?.body).toMatchObject({ timestampType: 'WORD' })
  })

  it('disconnects from the server after an abort', async () => {
    const disconnect = new AbortController()
    const { phrase, server } = await startUpstreamEngine((response) => {
      response.write(audioLine(tone))
    })
    const disconnected = server.nextDisconnect()
    const speaking = phrase({
      signal: disconnect.signal,
      onSound: () => disconnect.abort(new Error('enough')),
    })
    await expect(speaking).rejects.toThrow('enough')
    await disconnected
  })

  it('starts with a warning and without voices when the server is unreachable, and lists them later', async () => {
    let isBack = false
    const server = await startTestServer((response) => {
      response.writeHead(isBack ? 200 : 500).end(JSON.stringify({ voices: [nova] }))
    })
    const warnings: string[] = []
    const { baseUrl } = server
    const warn = (message: string) => warnings.push(message)
    const engine = await createUpstreamEngine({ baseUrl, warn })
    onTestFinished(() => engine.close())
    expect(engine.voices).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(`The voices of ${baseUrl}.*500`)])
    expect(engine.problem).toBe(warnings[0])
    isBack = true
    await expect.poll(() => engine.voices.length, { timeout: 30_000 }).toBe(1)
    expect(engine.problem).toBeUndefined()
  })

  it('does not start if the key would be sent unencrypted', async () => {
    const options = { baseUrl: 'http://speech.example', apiKey, warn: () => {} }
    await expect(createUpstreamEngine(options)).rejects.toThrow(/in the clear/)
  })
})
