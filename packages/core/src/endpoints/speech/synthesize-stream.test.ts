import { keys } from '@parlando/test-support/secrets/keys'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../../client.ts'
import type { SpeechStream } from './synthesize-stream.ts'

const request = {
  text: 'The laundry is done.',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24000 },
} as const
const audio = Buffer.from('0123456789abcdef')

async function collect(stream: SpeechStream): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk.audio)
  return Buffer.concat(chunks)
}

/** A client of a server that responds to every request with these bytes. */
async function clientOf(body: string | Uint8Array, options: object = {}) {
  const server = await startTestServer((response) => void response.end(body))
  const { baseUrl } = server
  return { server, client: createClient({ baseUrl, maxRetryDelayMs: 1, ...options }) }
}

describe('synthesizeStream', () => {
  it('sends the request unchanged, with the key verbatim', async () => {
    const { client, server } = await clientOf(audioLine(audio), { apiKey: keys.service })
    await collect(client.synthesizeStream(request))
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/tts/v1/voice:stream',
        headers: { authorization: `Basic ${keys.service}`, 'content-type': 'application/json' },
        body: request,
      },
    ])
  })

  it('sends no authorization header without a key', async () => {
    const { client, server } = await clientOf(audioLine(audio))
    await collect(client.synthesizeStream(request))
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('returns the same audio wherever the network cuts the response in two', async () => {
    const body = Buffer.from(audioLine(audio.subarray(0, 5)) + audioLine(audio.subarray(5)))
    let cut = 0
    const server = await startTestServer(async (response) => {
      response.write(body.subarray(0, cut))
      await new Promise((resolve) => setImmediate(resolve))
      response.end(body.subarray(cut))
    })
    const client = createClient({ baseUrl: server.baseUrl })
    for (cut = 1; cut < body.length; cut++) {
      expect(await collect(client.synthesizeStream(request))).toEqual(audio)
    }
  })

  it('accepts blank lines, CRLF, results without audio, unknown members and a missing last newline', async () => {
    const body = `\r\n{"result":{}}\r\n{"result":{"audioContent":""},"more":1}\n\n${audioLine(audio, { extra: [] }).trim()}`
    const { client } = await clientOf(body)
    expect(await collect(client.synthesizeStream(request))).toEqual(audio)
  })

  it('reports usage as the largest count, and the time to the first audio', async () => {
    const counts = [5, 20, 0]
    const lines = counts.map((count) =>
      audioLine(audio, { usage: { processedCharactersCount: count, modelId: 'svc-tts-2' } }),
    )
    const { client } = await clientOf(lines.join(''))
    const stream = client.synthesizeStream(request)
    expect([stream.usage, stream.firstAudioMs]).toEqual([undefined, undefined])
    await collect(stream)
    expect(stream.usage).toEqual({ processedCharactersCount: 20, modelId: 'svc-tts-2' })
    expect(stream.firstAudioMs).toBeGreaterThan(0)
  })

  it('rejects a bad request before it connects', async () => {
    const { client, server } = await clientOf('')
    const bad = [
      { ...request, text: '  ' },
      { ...request, text: undefined as unknown as string },
      { ...request, voiceId: '' },
      { ...request, audioConfig: { audioEncoding: 'WAVE' as 'WAV' } },
      { ...request, audioConfig: { sampleRateHertz: 12345 as 8000 } },
      { ...request, voice: 'Clara' },
    ]
    for (const input of bad) {
      expect(() => client.synthesizeStream(input)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      )
    }
    expect(server.requests).toEqual([])
  })

  it('can be consumed once', async () => {
    const { client } = await clientOf(audioLine(audio))
    const stream = client.synthesizeStream(request)
    await collect(stream)
    await expect(collect(stream)).rejects.toThrow('consumed once')
  })

  it('closes the connection when the loop ends early', async () => {
    const server = await startTestServer((response) => void response.write(audioLine(audio)))
    const client = createClient({ baseUrl: server.baseUrl })
    for await (const chunk of client.synthesizeStream(request)) {
      expect(chunk.audio.length).toBe(audio.length)
      break
    }
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('throws the reason of an abort unchanged, before and after the first audio', async () => {
    const server = await startTestServer((response) => void response.write(audioLine(audio)))
    const client = createClient({ baseUrl: server.baseUrl })
    const reason = new Error('enough')
    await expect(
      collect(client.synthesizeStream(request, { signal: AbortSignal.abort(reason) })),
    ).rejects.toBe(reason)
    const controller = new AbortController()
    const disconnected = server.nextDisconnect()
    const read = async () => {
      const { signal } = controller
      for await (const _ of client.synthesizeStream(request, { signal })) controller.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
    await disconnected
  })
})

describe('synthesizeStream, when the response is bad', () => {
  const errorLine = '{"error":{"code":14,"message":"worker lost","details":[]}}\n'

  const bareErrorLine = '{"code":14,"message":"worker lost","details":[]}\n'

  it.each([
    ['first', errorLine],
    ['last', audioLine(audio) + errorLine],
    ['in the middle', audioLine(audio) + errorLine + audioLine(audio)],
    ['that is only an error body', audioLine(audio) + bareErrorLine + audioLine(audio)],
  ])('throws the error of a line %s', async (_where, body) => {
    const { client } = await clientOf(body)
    await expect(collect(client.synthesizeStream(request))).rejects.toMatchObject({
      name: 'ApiError',
      code: 'UNAVAILABLE',
      status: 503,
      retryable: true,
      message: expect.stringContaining('worker lost'),
    })
  })

  it.each([
    ['NO_AUDIO', 'nothing at all', ''],
    ['NO_AUDIO', 'no audio', '{"result":{"usage":{"processedCharactersCount":3}}}\n'],
    ['BAD_RESPONSE', 'a line that is not JSON', `${audioLine(audio)}<html>\n`],
    ['BAD_RESPONSE', 'a line that is cut off', audioLine(audio).slice(0, 30)],
    ['BAD_RESPONSE', 'audio that is not base64', '{"result":{"audioContent":"AA$A"}}\n'],
    ['BAD_RESPONSE', 'audio that is a number', '{"result":{"audioContent":7}}\n'],
  ])('throws %s for %s', async (code, _what, body) => {
    const { client } = await clientOf(body)
    await expect(collect(client.synthesizeStream(request))).rejects.toMatchObject({
      name: 'ProtocolError',
      code,
    })
  })

  it('throws LINE_TOO_LONG for an endless line and stops reading it', async () => {
    const server = await startTestServer((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024, 'A')));
        response.once('drain', more)
      }
      more()
    })
    const client = createClient({ baseUrl: server.baseUrl, maxLineBytes: 1024 * 1024 })
    const disconnected = server.nextDisconnect()
    await expect(collect(client.synthesizeStream(request))).rejects.toMatchObject({
      code: 'LINE_TOO_LONG',
    })
    await disconnected
  })

  it('throws CONNECTION_LOST when the service dies during the response', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(audio), () => response.destroy())
    })
    const client = createClient({ baseUrl: server.baseUrl })
    await expect(collect(client.synthesizeStream(request))).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'CONNECTION_LOST',
      retryable: true,
    })
  })
})
