import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import {
  chatEvent,
  chatRequest,
  completeResponse,
  dataEvent,
} from '@parlando/test-support/servers/chat-events'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { type Client, createClient } from '../client.ts'
import type { CallOptions, ClientOptions } from './client-options.ts'
import type { DebugEvent } from './trace.ts'

type Handler = (response: ServerResponse) => void
type Call = (client: Client, options?: CallOptions) => Promise<unknown>

const speech = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
const audio = audioLine(Buffer.from('audio'))
const errorLine = '{"error":{"code":14,"message":"later"}}\n'

const list: Call = (client, options) => client.listVoices({}, options)
const speak: Call = (client, options) => client.synthesizeStream(speech, options).consume(() => {})
const chat: Call = async (client, options) => {
  for await (const _ of client.chatStream(chatRequest, options));
}

/** A server with this response, its client, and the events that the client reports. */
async function startWatchedServer(handler: Handler, options: Partial<ClientOptions> = {}) {
  const server = await startTestServer(handler)
  const events: DebugEvent[] = []
  const debug = (event: DebugEvent) => void events.push(event)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, debug, ...options })
  const end = () => vi.waitFor(() => events.find(({ type }) => type === 'end') ?? expect.fail())
  return { server, client, end }
}

const body =
  (text: string, head: Record<string, string> = {}): Handler =>
  (response) =>
    void response.writeHead(200, head).end(text)
const beginning =
  (text: string, status = 200): Handler =>
  (response) =>
    void response.writeHead(status).write(text)
const cutAfter =
  (text: string, status = 200): Handler =>
  (response) => {
    response.writeHead(status).write(text)
    setTimeout(() => response.destroy(), 20)
  }

describe('the end event of the debug hook', () => {
  it.each<[string, Call, Handler, Partial<ClientOptions>?]>([
    ['UNAUTHENTICATED', list, (response) => void response.writeHead(401).end('{}')],
    ['UNAUTHENTICATED', speak, cutAfter('{}', 401)],
    ['NOT_REACHABLE', list, (response) => void response.destroy()],
    ['CONNECTION_LOST', list, cutAfter('{')],
    ['CONNECTION_LOST', speak, cutAfter(audio)],
    ['CONNECTION_LOST', chat, cutAfter(chatEvent({ content: 'No' }))],
    ['TIMEOUT', list, beginning('{'), { silenceTimeoutMs: 50 }],
    ['TIMEOUT', list, beginning('{'), { timeoutMs: 50 }],
    ['TIMEOUT', speak, beginning(audio), { timeoutMs: 50 }],
    ['BAD_RESPONSE', list, body('{}', { 'content-encoding': 'gzip' })],
    ['RESPONSE_TOO_LARGE', list, body(' '.repeat(200_000)), { maxResponseBytes: 10 }],
    ['UNAVAILABLE', speak, beginning(audio + errorLine)],
    ['UNAVAILABLE', chat, beginning(dataEvent({ error: { code: 14, message: 'later' } }))],
    ['LINE_TOO_LONG', speak, beginning(audio), { maxLineBytes: 10 }],
    ['LINE_TOO_LONG', chat, beginning(chatEvent({ content: 'No' })), { maxLineBytes: 10 }],
  ])('has the code of the error that the call throws: %s', async (code, call, handler, options) => {
    const { client, end } = await startWatchedServer(handler, options)
    await expect(call(client)).rejects.toMatchObject({ code })
    expect(await end()).toMatchObject({ code })
  })

  it.each([
    ['voice list', list, '{'],
    ['speech', speak, audio],
    ['chat', chat, chatEvent({ content: 'No' })],
  ])('has the code ABORTED after an abort of the signal: %s', async (_what, call, text) => {
    const { client, end } = await startWatchedServer(beginning(text))
    await expect(call(client, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    expect(await end()).toMatchObject({ code: 'ABORTED' })
  })

  it('has the code ABORTED if the loop ends early', async () => {
    const { client, end } = await startWatchedServer(beginning(chatEvent({ content: 'No' })))
    for await (const _ of client.chatStream(chatRequest)) break
    expect(await end()).toMatchObject({ code: 'ABORTED' })
  })

  it.each<[string, Call, Handler]>([
    ['voice list', list, body('{}')],
    ['speech', speak, body(audio)],
    ['chat', chat, body(completeResponse)],
    ['chat whose connection the service leaves open', chat, beginning(completeResponse)],
  ])('has no code if the call succeeds: %s', async (_what, call, handler) => {
    const { client, end } = await startWatchedServer(handler)
    await call(client)
    expect(await end()).not.toHaveProperty('code')
  })
})

describe('a hook that throws', () => {
  const fail = () => {
    throw new Error('the log is full')
  }

  it('does not affect the call, and its error becomes a warning', async () => {
    const { client } = await startWatchedServer(body('{}'), { debug: fail, maxConcurrent: 1 })
    const warned = once(process, 'warning')
    for (let count = 0; count < 3; count++) {
      await expect(client.listVoices()).resolves.toMatchObject({ voices: [] })
    }
    expect(await warned).toMatchObject([{ message: 'the log is full' }])
  })

  it('does not prevent a retry', async () => {
    let count = 0
    const handler: Handler = (response) =>
      void response.writeHead(count++ === 0 ? 503 : 200, { 'retry-after': '0' }).end('{}')
    const { client } = await startWatchedServer(handler, { maxRetries: 1, onRetry: fail })
    const warned = once(process, 'warning')
    await expect(client.listVoices({}, { onRetry: fail })).resolves.toMatchObject({ voices: [] })
    expect(await warned).toMatchObject([{ message: 'the log is full' }])
  })
})
