import type { ServerResponse } from 'node:http'
import {
  chatEvent,
  chatRequest,
  doneEvent,
  stopEvent,
} from '@parlando/test-support/servers/chat-events'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { type Client, createClient } from '../client.ts'
import type { CallOptions } from '../http/client-options.ts'
import type { Stream } from '../streams/stream.ts'

interface Kind {
  open(client: Client, options?: CallOptions): Stream<unknown, unknown>
  /** A response of two items, of which the first is a complete one. */
  first: string
  rest: string
  bytes: string
  items: unknown[]
  result: unknown
}

const voice = { voiceId: 'Clara', modelId: 'svc-tts-2' }
const pcm = { audioEncoding: 'PCM', sampleRateHertz: 8000 } as const
const longText = 'This is one of many sentences. '.repeat(7)
const [one, two] = [Buffer.from('0123'), Buffer.from('4567')]

const kinds: Record<string, Kind> = {
  speech: {
    open: (client, options) =>
      client.synthesizeStream({ ...voice, text: 'Hello.', audioConfig: pcm }, options),
    first: audioLine(one),
    rest: audioLine(two, { usage: { processedCharactersCount: 6 } }),
    bytes: '01234567',
    items: [{ audio: one }, { audio: two }],
    result: { audio: Buffer.concat([one, two]), usage: { processedCharactersCount: 6 } },
  },
  'a long text': {
    open: (client, options) =>
      client.synthesizeStream({ ...voice, text: longText, audioConfig: pcm }, options),
    first: audioLine(one),
    rest: audioLine(two, { usage: { processedCharactersCount: 6 } }),
    bytes: '01234567'.repeat(3),
    items: Array(3)
      .fill([{ audio: one }, { audio: two }])
      .flat(),
    result: {
      audio: Buffer.from('01234567'.repeat(3)),
      usage: { processedCharactersCount: 18 },
    },
  },
  bytes: {
    open: (client, options) =>
      client.synthesizeOpenAi({ model: 'svc-tts-2', input: 'Hello.', voice: 'Clara' }, options),
    first: 'ID3',
    rest: '',
    bytes: 'ID3',
    items: [Buffer.from('ID3')],
    result: Buffer.from('ID3'),
  },
  chat: {
    open: (client, options) => client.chatStream(chatRequest, options),
    first: chatEvent({ content: 'Es ' }),
    rest: chatEvent({ content: 'gießt.' }) + stopEvent + doneEvent,
    bytes: 'Es gießt.',
    items: [{ content: 'Es ' }, { content: 'gießt.' }],
    result: { content: 'Es gießt.', finishReason: 'stop', toolCalls: [] },
  },
}

const ended = { done: true, value: undefined }

async function clientOf(respond: (response: ServerResponse) => void, options: object = {}) {
  const server = await startTestServer(respond)
  const baseUrl = server.baseUrl
  return { server, client: createClient({ baseUrl, maxTextCharacters: 100, ...options }) }
}

describe.each(Object.entries(kinds))('a stream of %s', (_name, kind) => {
  const respondWhole = (response: ServerResponse) => void response.end(kind.first + kind.rest)
  const respondFirst = (response: ServerResponse) => void response.write(kind.first)

  it('can be read by for await', async () => {
    const { client } = await clientOf(respondWhole)
    const items: unknown[] = []
    for await (const item of kind.open(client)) items.push(item)
    expect(items).toEqual(kind.items)
  })

  it('can be read by callback', async () => {
    const { client } = await clientOf(respondWhole)
    const items: unknown[] = []
    await kind.open(client).consume((item) => void items.push(item))
    expect(items).toEqual(kind.items)
  })

  it('can be collected, with the request ID of its first request', async () => {
    const { client, server } = await clientOf(respondWhole)
    const stream = kind.open(client)
    expect(stream.requestId).toBeUndefined()
    expect(await stream.collect()).toMatchObject(kind.result as object)
    expect(stream.requestId).toBe(server.requests[0]?.headers['x-request-id'])
  })

  it('can be read as a web stream of bytes', async () => {
    const { client } = await clientOf(respondWhole)
    const response = new Response(kind.open(client).toReadableStream())
    expect(await response.text()).toBe(kind.bytes)
  })

  it('sends no request before it is read, and can be read once', async () => {
    const { client, server } = await clientOf(respondWhole)
    const stream = kind.open(client)
    expect(server.requests).toEqual([])
    await stream.collect()
    const requests = server.requests.length
    const again = { name: 'InputError', message: expect.stringContaining('consumed once') }
    expect(() => stream[Symbol.asyncIterator]()).toThrow(expect.objectContaining(again))
    expect(() => stream.toReadableStream()).toThrow(expect.objectContaining(again))
    await expect(stream.consume(() => {})).rejects.toMatchObject(again)
    await expect(stream.collect()).rejects.toMatchObject(again)
    expect(server.requests.length).toBe(requests)
  })

  it('is closed at the end of its `await using` block', async () => {
    const { client, server } = await clientOf(respondFirst)
    const stream = kind.open(client)
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    const waiting = chunks.next()
    await stream[Symbol.asyncDispose]()
    expect(await waiting).toEqual(ended)
    expect(await chunks.next()).toEqual(ended)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('ends its callback form when it is closed', async () => {
    const { client, server } = await clientOf(respondFirst)
    const stream = kind.open(client)
    const items: unknown[] = []
    await stream.consume((item) => {
      items.push(item)
      void stream.close()
    })
    expect(items).toEqual(kind.items.slice(0, 1))
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('cannot be read after close, even if it was never read', async () => {
    const { client, server } = await clientOf(respondWhole)
    const stream = kind.open(client)
    await stream.close()
    await expect(stream.collect()).rejects.toThrow('consumed once')
    expect(server.requests).toEqual([])
  })

  it('throws the reason of an abort although the whole response has arrived', async () => {
    const { client } = await clientOf(respondWhole)
    const controller = new AbortController()
    const stream = kind.open(client, { signal: controller.signal })
    const items = stream[Symbol.asyncIterator]()
    await items.next()
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(items.next()).rejects.toBe(reason)
    expect(await items.next()).toEqual(ended)
  })

  it('sends no request and throws the reason if the signal is already aborted', async () => {
    const { client, server } = await clientOf(respondWhole)
    const reason = new Error('enough')
    const stream = kind.open(client, { signal: AbortSignal.abort(reason) })
    await expect(stream.collect()).rejects.toBe(reason)
    expect(server.requests).toEqual([])
  })

  it('leaves no listener on the signal of the call', async () => {
    const { client } = await clientOf(respondWhole)
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (type: string, listener: never, options: object) => {
      listeners.add(listener)
      return addEventListener.call(signal, type, listener, options)
    }
    signal.removeEventListener = (type: string, listener: never) => {
      listeners.delete(listener)
      return removeEventListener.call(signal, type, listener)
    }
    await kind.open(client, { signal }).collect()
    for await (const _ of kind.open(client, { signal }));
    for await (const _ of kind.open(client, { signal })) break
    expect(listeners.size).toBe(0)
  })
})

describe('a stream that is collected', () => {
  it.each(Object.entries(kinds).filter(([name]) => name !== 'chat'))(
    'is limited to maxResponseBytes: %s',
    async (_name, kind) => {
      const endless = (response: ServerResponse) => {
        const more = () => {
          while (!response.destroyed && response.write(kind.first));
          response.once('drain', more)
        }
        more()
      }
      const { client, server } = await clientOf(endless, { maxResponseBytes: 1000 })
      await expect(kind.open(client).collect()).rejects.toMatchObject({
        name: 'ProtocolError',
        code: 'RESPONSE_TOO_LARGE',
        requestId: expect.any(String),
      })
      await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    },
  )

  it('contains the speech of a chat, which is limited as well', async () => {
    const audioEvent = chatEvent({ audio: { data: 'AAEC', transcript: 'No' } })
    const { client } = await clientOf(
      (response) => void response.end(audioEvent + audioEvent + stopEvent + doneEvent),
    )
    const { audio } = await client.chatStream(chatRequest).collect()
    expect(audio).toEqual({ audio: Buffer.of(0, 1, 2, 0, 1, 2), transcript: 'NoNo' })

    const options = { maxResponseBytes: 1000 }
    const long = await clientOf(
      (response) => void response.end(audioEvent.repeat(300) + doneEvent),
      options,
    )
    await expect(long.client.chatStream(chatRequest).collect()).rejects.toMatchObject({
      name: 'ProtocolError',
      code: 'RESPONSE_TOO_LARGE',
      requestId: expect.any(String),
    })
  })
})

describe('the duration of a speech stream', () => {
  it('counts the audio so far', async () => {
    const line = audioLine(Buffer.alloc(16_000))
    const { client } = await clientOf((response) => void response.end(line + line))
    const stream = client.synthesizeStream({ ...voice, text: 'Hello.', audioConfig: pcm })
    expect(stream.durationSeconds).toBeUndefined()
    const durations: unknown[] = []
    await stream.consume(() => void durations.push(stream.durationSeconds))
    expect(durations).toEqual([1, 2])
    expect(stream.durationSeconds).toBe(2)
  })
})
