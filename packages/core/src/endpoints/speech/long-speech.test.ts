import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { readWavHeader, writeWavHeader } from '../../audio/wav.ts'
import { createClient } from '../../client.ts'

const sentence = 'This is one of many sentences in a text that is long. '
const request = {
  text: sentence.repeat(10).trim(),
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'LINEAR16', sampleRateHertz: 8000 },
} as const

/** A service for texts of up to 120 characters. It responds with one second of audio at 8 kHz, in which every sample is the first two letters of the text. */
async function startSpellingService() {
  const server = await startTestServer((response) => {
    const { text } = server.requests.at(-1)!.body as { text: string }
    const samples = Buffer.alloc(16_000, text.slice(0, 2))
    const header = writeWavHeader({ sampleRateHertz: 8000, dataBytes: samples.length })
    const usage = { processedCharactersCount: text.length, modelId: 'svc-tts-2' }
    const wordAlignment = {
      words: [text.slice(0, 4)],
      wordStartTimeSeconds: [0.25],
      wordEndTimeSeconds: [0.5],
      phoneticDetails: [
        {
          wordIndex: 0,
          phones: [{ phoneSymbol: 'ð', startTimeSeconds: 0.25, durationSeconds: 0.125 }],
        },
      ],
    }
    const more = { usage, timestampInfo: { wordAlignment } }
    response.end(audioLine(Buffer.concat([header, samples]), more))
  })
  const client = createClient({ baseUrl: server.baseUrl, maxTextCharacters: 120 })
  return { server, client }
}

const textsOf = (server: { requests: { body: unknown }[] }) =>
  server.requests.map(({ body }) => (body as { text: string }).text)

describe('a text that is too long for one request', () => {
  it('is spoken in pieces that form one file, in order, with one header and one usage', async () => {
    const { server, client } = await startSpellingService()
    const stream = client.synthesizeStream(request)
    const chunks: Uint8Array[] = []
    for await (const { audio } of stream) chunks.push(audio)
    const file = Buffer.concat(chunks)
    const texts = textsOf(server)
    expect(texts.length).toBe(5)
    expect(texts.every((text) => text.length <= 120)).toBe(true)
    expect(texts.join(' ')).toBe(request.text)
    expect(file.length).toBe(44 + texts.length * 16_000)
    expect(file.indexOf('RIFF', 1)).toBe(-1)
    expect(stream.usage?.processedCharactersCount).toBe(texts.join('').length)
    expect(stream.firstAudioMs).toBeGreaterThan(0)
  })

  it('has timestamps that count from the start of the whole', async () => {
    const { client } = await startSpellingService()
    const { timestamps } = await client.synthesize(request)
    expect(timestamps?.words.map(({ startSeconds }) => startSeconds)).toEqual([
      0.25, 1.25, 2.25, 3.25, 4.25,
    ])
    expect(timestamps?.words.at(-1)?.phones).toEqual([
      { symbol: 'ð', startSeconds: 4.25, endSeconds: 4.375 },
    ])
  })

  it('becomes a file with the correct length in its header', async () => {
    const { client } = await startSpellingService()
    const { audio, mediaType, sampleRateHertz } = await client.synthesize(request)
    expect(readWavHeader(audio)?.dataBytes).toBe(5 * 16_000)
    expect({ mediaType, sampleRateHertz }).toEqual({
      mediaType: 'audio/wav',
      sampleRateHertz: 8000,
    })
  })

  it('is not split if it fits without its surrounding white space, which is not sent', async () => {
    const { server } = await startSpellingService()
    const options = { baseUrl: server.baseUrl, maxTextCharacters: 120, longText: 'reject' } as const
    const client = createClient(options)
    const spaced = { ...request, text: ` ${'a'.repeat(120)}\n` }
    await client.synthesizeStream(spaced).consume(() => {})
    await client.synthesize(spaced).catch(() => {})
    expect(textsOf(server)).toEqual(['a'.repeat(120), 'a'.repeat(120)])
  })

  it('is rejected before any request if longText is reject', async () => {
    const { server } = await startSpellingService()
    const options = { baseUrl: server.baseUrl, maxTextCharacters: 120, longText: 'reject' } as const
    const client = createClient(options)
    expect(() => client.synthesizeStream(request)).toThrow(/characters are more than the 120/)
    await expect(client.synthesize(request)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(server.requests).toEqual([])
  })

  it('is requested one piece ahead, and all connections close when the loop ends early', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(16_000)))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxTextCharacters: 120 })
    for await (const _ of client.synthesizeStream(request)) {
      await vi.waitFor(() => expect(server.requests.length).toBe(2))
      break
    }
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(server.requests.length).toBe(2)
  })

  it('is spoken whole if a piece loses its connection before its turn', async () => {
    const piece = Buffer.alloc(16_000, 'ab')
    let endFirst = () => {}
    const server = await startTestServer((response) => {
      const { length } = server.requests
      if (length === 1) {
        response.write(audioLine(piece))
        endFirst = () => response.end()
      } else if (length === 2) response.write(audioLine(piece), () => response.destroy())
      else response.end(audioLine(piece))
    })
    const client = createClient({
      baseUrl: server.baseUrl,
      maxTextCharacters: 120,
      debug: (event) => event.type === 'end' && event.code === 'CONNECTION_LOST' && endFirst(),
    })
    const pcm = { audioEncoding: 'PCM', sampleRateHertz: 8000 } as const
    const stream = client.synthesizeStream({ ...request, audioConfig: pcm })
    const chunks: Uint8Array[] = []
    for await (const { audio } of stream) chunks.push(audio)
    const [first, second, ...others] = textsOf(server)
    expect(others[0]).toBe(second)
    expect([first, ...others].join(' ')).toBe(request.text)
    expect(Buffer.concat(chunks).length).toBe(5 * piece.length)
  })

  it('throws the reason of an abort unchanged', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(16_000)))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxTextCharacters: 120 })
    const controller = new AbortController()
    const reason = new Error('enough')
    const read = async () => {
      const { signal } = controller
      for await (const _ of client.synthesizeStream(request, { signal })) controller.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('delivers nothing after an abort, although more audio has arrived', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(16_000)).repeat(5))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxTextCharacters: 120 })
    const controller = new AbortController()
    const { signal } = controller
    const chunks = client.synthesizeStream(request, { signal })[Symbol.asyncIterator]()
    await chunks.next()
    // Pieces are read ahead: when the second is requested, the chunks of the first have arrived.
    await vi.waitFor(() => expect(server.requests.length).toBe(2))
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort(new Error('enough'))
    await expect(chunks.next()).rejects.toBe(signal.reason)
    expect(await chunks.next()).toEqual({ done: true, value: undefined })
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })
})
