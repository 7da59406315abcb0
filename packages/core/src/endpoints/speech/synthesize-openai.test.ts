import type { ServerResponse } from 'node:http'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../client.ts'
import type { OpenAiSpeechRequest } from '../../wire/audio-speech.ts'
import type { OpenAiSpeech } from './synthesize-openai.ts'

const request: OpenAiSpeechRequest = {
  model: 'svc-tts-2',
  input: 'The laundry is done.',
  voice: 'Clara',
}
const mp3 = Buffer.from([0xff, 0xfb, 0x90, 0x64, 1, 2, 3])

async function clientOf(content: Uint8Array | ((response: ServerResponse) => void)) {
  const server = await startTestServer((response) =>
    typeof content === 'function' ? content(response) : void response.end(content),
  )
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

async function collect(speech: OpenAiSpeech): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const bytes of speech) pieces.push(bytes)
  return Buffer.concat(pieces)
}

describe('synthesizeOpenAi', () => {
  it('returns the bytes unchanged, and their media type', async () => {
    const { server, client } = await clientOf(mp3)
    const speech = client.synthesizeOpenAi(request)
    expect(await collect(speech)).toEqual(mp3)
    expect(speech.mediaType).toBe('audio/mpeg')
    expect(speech.requestId).toBe(server.requests[0]?.headers['x-request-id'])
    expect(server.requests).toMatchObject([
      { method: 'POST', url: '/v1/audio/speech', body: request },
    ])
  })

  it.each([
    ['opus', 'OggS', 'audio/ogg'],
    ['flac', 'fLaC', 'audio/flac'],
    ['wav', 'RIFF', 'audio/wav'],
    ['pcm', 'RIFF', 'audio/wav'],
    ['pcm', '\xff\xfb\x90\x64', 'audio/pcm'],
    ['opus', '\xff\xfb\x90\x64', 'audio/mpeg'],
    ['opus', 'ID3\x04', 'audio/mpeg'],
    ['aac', '\xff\xf1\x50\x80', 'audio/aac'],
    ['flac', 'what', 'audio/flac'],
  ] as const)('requested as %s, bytes that start with %j are %s', async (format, start, type) => {
    const { client } = await clientOf(Buffer.from(`${start}0123`, 'latin1'))
    const speech = client.synthesizeOpenAi({ ...request, response_format: format })
    await collect(speech)
    expect(speech.mediaType).toBe(type)
  })

  it('throws NO_AUDIO for a response without bytes', async () => {
    const { client } = await clientOf(Buffer.alloc(0))
    await expect(collect(client.synthesizeOpenAi(request))).rejects.toMatchObject({
      name: 'ProtocolError',
      code: 'NO_AUDIO',
    })
  })

  it.each([
    ['text/html', '<html>Log in to this network</html>'],
    ['application/json', '{"error":{"message":"No such voice"}}'],
  ])('throws BAD_RESPONSE for %s instead of audio', async (contentType, text) => {
    const { client } = await clientOf((response) => {
      response.writeHead(200, { 'content-type': contentType }).end(text)
    })
    await expect(collect(client.synthesizeOpenAi(request))).rejects.toMatchObject({
      name: 'ProtocolError',
      code: 'BAD_RESPONSE',
      requestId: expect.any(String),
    })
  })

  it('throws the error of the service', async () => {
    const { client } = await clientOf((response) => {
      const error = { message: 'No such voice', type: 'invalid_request_error', code: null }
      response.writeHead(400).end(JSON.stringify({ error }))
    })
    await expect(collect(client.synthesizeOpenAi(request))).rejects.toMatchObject({
      name: 'ApiError',
      message: 'Speech rejected (400 INVALID_ARGUMENT): No such voice',
    })
  })

  it.each([
    { input: ' ' },
    { voice: '' },
    { speed: 2 },
    { response_format: 'ogg' },
    { text: 'Hi' },
  ])('rejects %j at once', async (more) => {
    const { server, client } = await clientOf(mp3)
    const bad = { ...request, ...more } as OpenAiSpeechRequest
    expect(() => client.synthesizeOpenAi(bad)).toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
    expect(server.requests).toEqual([])
  })

  it('can be consumed once, and closes the connection when the loop ends early', async () => {
    const { server, client } = await clientOf((response) => void response.write(mp3))
    const disconnected = server.nextDisconnect()
    const speech = client.synthesizeOpenAi(request)
    for await (const _ of speech) break
    await disconnected
    expect(() => speech[Symbol.asyncIterator]()).toThrow('consumed once')
  })
})
