import { createServer as createHttpServer } from 'node:http'
import { inspect } from 'node:util'
import { keys } from '@parlando/test-support/secrets/keys'
import {
  failureOf,
  failWith,
  openStream,
  readAll,
  respond,
  response,
} from '@parlando/test-support/servers/client-failure'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../client.ts'
import type { DebugEvent } from './trace.ts'

const apiKey = keys.service

/** Sends these bytes over an open socket as they are. */
const rawBytes = (...bytes: number[]): SocketServerHandlers => ({
  onOpen: ({ connection }: ServerSocket) => void connection.write(Buffer.from(bytes)),
})

describe('a message that is not valid', () => {
  const start = [0x81, 0x7f, 0, 0, 0, 0]
  it.each<[string, number[]]>([
    ['too large', [...start, 0x7f, 0xff, 0xff, 0xff]],
    ['larger than any buffer', [0x81, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['with reserved bits', [0xf1, 0x01, 0x20]],
    ['with an unknown opcode', [0x8b, 0x01, 0x20]],
    ['a continuation of nothing', [0x80, 0x01, 0x20]],
    ['not UTF-8', [0x81, 0x02, 0xff, 0xff]],
    ['a ping of more than 125 bytes', [0x89, 0x7e, 0x01, 0x00]],
    ['garbage', [...Buffer.from('<!doctype html><html><body>')]],
  ])('ends the socket with a ProtocolError: %s', async (_what, bytes) => {
    const { error } = await failWith(rawBytes(...bytes))
    expect(error).toMatchObject({ name: 'ProtocolError', code: 'BAD_RESPONSE' })
    expect(error.message).toContain('the service sent a message of more than 16777216 bytes, or')
  })

  it('is one above maxLineBytes', async () => {
    const message = JSON.stringify({ result: { text: 'x'.repeat(1000) } })
    const handlers: SocketServerHandlers = {
      onOpen({ webSocket }) {
        webSocket.send(message)
        webSocket.send(message, { fin: false })
        webSocket.send(' '.repeat(100), { fin: true })
      },
    }
    const { error } = await failWith(handlers, { maxLineBytes: message.length + 50 })
    expect(error.message).toContain(`more than ${message.length + 50} bytes`)
    const server = await startSocketServer(handlers)
    const stream = openStream(server.baseUrl, { maxLineBytes: message.length + 100 })
    const events = stream[Symbol.asyncIterator]()
    expect(await events.next()).toMatchObject({ value: { type: 'unknown' } })
    expect(await events.next()).toMatchObject({ value: { type: 'unknown' } })
  })
})

describe('a socket', () => {
  it('has the path of the base address, the key and the headers, and no compression', async () => {
    const server = await startSocketServer({ onOpen: ({ webSocket }) => webSocket.close(1001) })
    const client = createClient({
      baseUrl: `${server.baseUrl}/speech/`,
      apiKey,
      headers: { 'x-tenant': 'kitchen' },
      maxRetries: 0,
    })
    await failureOf(readAll(client.transcribeStream({}, { headers: { traceparent: '00-1' } })))
    expect(server.sockets[0]?.url).toBe('/speech/stt/v1/transcribe:streamBidirectional')
    const { headers } = server.sockets[0]!
    expect(headers).toMatchObject({
      authorization: `Basic ${apiKey}`,
      'x-tenant': 'kitchen',
      traceparent: '00-1',
      'accept-encoding': 'identity',
      'x-request-id': expect.any(String),
    })
    expect(headers).not.toHaveProperty('sec-websocket-extensions')
  })

  it('receives a message that arrives together with the handshake', async () => {
    const server = await startSocketServer({
      onOpen({ connection, webSocket }) {
        connection.cork()
        webSocket.send('{"result":{"speechStarted":{}}}')
        connection.uncork()
        webSocket.close(1001)
      },
    })
    const events: unknown[] = []
    const read = async () => {
      for await (const event of openStream(server.baseUrl)) events.push(event)
    }
    await failureOf(read())
    expect(events).toEqual([{ type: 'speechStarted', startMs: 0 }])
  })

  it('keeps the key and headers out of errors', async () => {
    const secret = 'a-trace-of-ours'
    for (const handlers of [
      { onOpen: ({ webSocket }: ServerSocket) => webSocket.close(1008, `no ${apiKey} ${secret}`) },
      { onUpgrade: respond(response('403 No', `no ${apiKey} ${secret}`)) },
    ]) {
      const { error } = await failWith(handlers, { apiKey, headers: { traceparent: secret } })
      expect(error.message).toContain('no *** ***')
      const text = inspect(error, { depth: 9, showHidden: true })
      expect(text).not.toContain(apiKey)
      expect(text).not.toContain(secret)
    }
  })

  it.each<[string, SocketServerHandlers, object[]]>([
    [
      'that the service closes',
      { onOpen: ({ webSocket }) => webSocket.close(1011) },
      [
        { type: 'first-byte', status: 101 },
        { type: 'end', code: 'CONNECTION_LOST' },
      ],
    ],
    [
      'that the service rejects',
      { onUpgrade: respond(response('401 No', '')) },
      [{ type: 'end', code: 'UNAUTHENTICATED' }],
    ],
    [
      'that reports an error',
      { onOpen: ({ webSocket }) => webSocket.send('{"error":{"code":5}}') },
      [{ type: 'first-byte' }, { type: 'end', code: 'NOT_FOUND' }],
    ],
  ])('reports debug events: one %s', async (_what, handlers, expected) => {
    const events: DebugEvent[] = []
    const { error } = await failWith(handlers, { debug: (event) => void events.push(event) })
    const { requestId } = error
    const shared = { what: 'Transcription', method: 'GET', requestId }
    expect(events).toMatchObject([
      { ...shared, type: 'request', path: '/stt/v1/transcribe:streamBidirectional' },
      ...expected.map((event) => ({ ...shared, ...event })),
    ])
  })

  it('reports a normal end and an early exit to the debug hook', async () => {
    const ends: (string | undefined)[] = []
    const debug = (event: DebugEvent) => {
      if (event.type === 'end') ends.push(event.code)
    }
    const server = await startSocketServer({
      onMessage({ webSocket }, message) {
        if (message['closeStream']) webSocket.close(1000)
      },
    })
    const normal = openStream(server.baseUrl, { debug })
    normal.end()
    await readAll(normal)
    const left = openStream(server.baseUrl, { debug })
    await left.write(new Uint8Array(2))
    await left.close()
    expect(ends).toEqual([undefined, 'ABORTED'])
  })

  it('uses the purpose of the call in its messages', async () => {
    const server = await startSocketServer({ onOpen: ({ connection }) => connection.destroy() })
    const client = createClient({ baseUrl: server.baseUrl })
    const stream = client.transcribeStream({}, { purpose: 'Dictation' })
    expect((await failureOf(readAll(stream))).message).toMatch(/^Dictation broke off: /)
  })

  it('does not block the requests of its client during the handshake', async () => {
    const server = createHttpServer((_request, sent) => void sent.end('{"voices":[]}'))
    const { baseUrl, handshakes } = await startSocketServer({ server, onUpgrade() {} })
    const client = createClient({ baseUrl })
    await using _stream = client.transcribeStream()
    await vi.waitFor(() => expect(handshakes()).toBe(1))
    expect(await client.listVoices()).toMatchObject({ voices: [] })
  })
})
