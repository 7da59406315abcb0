import { setImmediate } from 'node:timers/promises'
import { chatEvent, chatRequest } from '@parlando/test-support/servers/chat-events'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it, vi } from 'vitest'
import { type Client, createClient } from '../client.ts'
import type { SpeechStream } from './speech/synthesize-stream.ts'

const done = { done: true, value: undefined }

/** A stream whose service sends one chunk and then nothing more. */
async function hangingStream(text: string) {
  const server = await startTestServer((response) => {
    response.write(audioLine(Buffer.from('0123')))
  })
  const client = createClient({ baseUrl: server.baseUrl, maxTextCharacters: 100 })
  const audioConfig = { audioEncoding: 'PCM' } as const
  const stream: SpeechStream = client.synthesizeStream({
    text,
    voiceId: 'Clara',
    modelId: 'svc-tts-2',
    audioConfig,
  })
  return { server, stream }
}

const texts = { short: 'Hello.', long: 'This is one of many sentences. '.repeat(10) }

it.each(Object.entries(texts))(
  'return() on the stream of a %s text ends a pending read and closes every connection',
  async (_length, text) => {
    const { server, stream } = await hangingStream(text)
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    const waiting = chunks.next()
    expect(await chunks.return?.()).toEqual(done)
    expect(await waiting).toEqual(done)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  },
)

it.each(Object.entries(texts))(
  'cancelling the web stream of a %s text ends a pending read and closes every connection',
  async (_length, text) => {
    const { server, stream } = await hangingStream(text)
    const reader = stream.toReadableStream().getReader()
    await reader.read()
    const waiting = reader.read()
    await setImmediate()
    await reader.cancel()
    expect(await waiting).toEqual(done)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  },
)

it.each<[string, string, (client: Client) => AsyncIterable<unknown>]>([
  ['a chat', chatEvent({ content: 'No' }), (client) => client.chatStream(chatRequest)],
  [
    'bytes',
    'ID3',
    (client) => client.synthesizeOpenAi({ model: 'svc-tts-2', input: 'Hello', voice: 'Clara' }),
  ],
])(
  'return() on the stream of %s ends a pending read and closes the connection',
  async (_what, first, begin) => {
    for (const text of [first, '']) {
      const server = await startTestServer((response) => {
        response.flushHeaders()
        response.write(text)
      })
      const items = begin(createClient({ baseUrl: server.baseUrl }))[Symbol.asyncIterator]()
      if (text) await items.next()
      const waiting = items.next()
      await vi.waitFor(() => expect(server.requests.length).toBe(1))
      expect(await items.return?.()).toEqual(done)
      expect(await waiting).toEqual(done)
      await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    }
  },
  5000,
)
