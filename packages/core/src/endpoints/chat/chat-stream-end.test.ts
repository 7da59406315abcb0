import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { createGzip } from 'node:zlib'
import {
  chatEvent,
  completeDeltas,
  completeResponse,
  dataEvent,
  doneEvent,
  stopEvent,
} from '@parlando/test-support/servers/chat-events'
import {
  collectDeltas,
  startChatStreamServer,
} from '@parlando/test-support/servers/chat-stream-server'
import { describe, expect, it } from 'vitest'

describe('the end of a chat stream', () => {
  it('accepts a response with a finish reason as complete, even without [DONE]', async () => {
    const { stream } = await startChatStreamServer(chatEvent({ content: 'No.' }) + stopEvent)
    expect(await collectDeltas(stream())).toEqual([{ content: 'No.' }])
  })

  it('throws CONNECTION_LOST wherever the response ends too early', async () => {
    const body = Buffer.from(chatEvent({ content: 'No' }) + chatEvent({ content: '.' }))
    let end = 0
    const { stream } = await startChatStreamServer(
      (response) => void response.end(body.subarray(0, end)),
      {
        maxRetries: 0,
      },
    )
    for (end = 0; end <= body.length; end++) {
      await expect(collectDeltas(stream())).rejects.toMatchObject({
        name: 'ConnectionError',
        code: 'CONNECTION_LOST',
        retryable: true,
        requestId: expect.any(String),
      })
    }
  })

  it.each([
    ['OpenAI name', { message: 'Slower', type: 'rate_limit_error', code: null }, 429, true],
    ['OpenAI code', { message: 'Slower', type: 'x', code: 'rate_limit_exceeded' }, 429, true],
    ['gRPC number', { code: 8, message: 'Slower', details: [] }, 429, true],
    ['gRPC name', { code: 'RESOURCE_EXHAUSTED', message: 'Slower' }, 429, true],
    ['HTTP status', { code: 429, message: 'Slower' }, 429, true],
    ['HTTP status that has no name', { code: 502, message: 'Slower' }, 500, true],
    ['HTTP status of a long wait', { code: 408, message: 'Slower' }, 504, true],
    ['HTTP status of a conflict', { code: 409, message: 'Slower' }, 409, true],
    ['bad request', { code: 'invalid_api_key', message: 'Slower' }, 401, false],
    ['text', 'Slower', 500, true],
  ])(
    'throws, after the deltas before it, an error with an %s',
    async (_n, error, status, retryable) => {
      const { stream } = await startChatStreamServer(
        chatEvent({ content: 'No' }) + dataEvent({ error }),
      )
      const response = stream()
      await expect(collectDeltas(response)).rejects.toMatchObject({
        name: 'ApiError',
        status,
        retryable,
        requestId: expect.any(String),
        message: expect.stringContaining('Slower'),
      })
      expect(response.content).toBe('No')
    },
  )

  it.each([
    ['an event', dataEvent({ code: 8, message: 'Too many requests' })],
    ['a line', '{"code":8,"message":"Too many requests"}\n'],
    ['an event with a name', dataEvent({ code: 'resource_exhausted', message: 'Too many' })],
    ['an event with text for the number', dataEvent({ code: '8', message: 'Too many' })],
  ])(
    'throws an error body that arrives as %s, although the stream ends normally',
    async (_n, event) => {
      const { stream } = await startChatStreamServer(
        chatEvent({ content: 'No' }) + event + doneEvent,
      )
      await expect(collectDeltas(stream())).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    },
  )

  it('throws an error that arrives as a bare line', async () => {
    const { stream } = await startChatStreamServer('{"error":{"code":14,"message":"Busy"}}', {
      maxRetries: 0,
    })
    await expect(collectDeltas(stream())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it.each([
    ['BAD_RESPONSE', 'an event that is not JSON', 'data: {"choices\n\n'],
    ['BAD_RESPONSE', 'an event of another format', dataEvent({ choices: 'many' })],
    ['BAD_RESPONSE', 'an HTML page', '<html>\n</html>\n'],
    ['LINE_TOO_LONG', 'an event above the limit', chatEvent({ content: 'x'.repeat(2000) })],
    [
      'RESPONSE_TOO_LARGE',
      'a response above the limit',
      chatEvent({ content: 'x'.repeat(700) }).repeat(3),
    ],
    [
      'RESPONSE_TOO_LARGE',
      'endless names of tool calls',
      Array.from({ length: 300 }, (_, index) =>
        chatEvent({ tool_calls: [{ index, id: `call ${index}`, function: { name: 'light' } }] }),
      ).join(''),
    ],
    [
      'RESPONSE_TOO_LARGE',
      'endless empty tool calls',
      Array.from({ length: 3000 }, (_, index) => chatEvent({ tool_calls: [{ index }] })).join(''),
    ],
  ])('throws %s for %s', async (code, _name, body) => {
    const { stream } = await startChatStreamServer(body + doneEvent, {
      maxLineBytes: 1000,
      maxResponseBytes: 2000,
    })
    await expect(collectDeltas(stream())).rejects.toMatchObject({
      name: 'ProtocolError',
      code,
      requestId: expect.any(String),
    })
  })

  it('does not quote an event that is not JSON, not even in the cause of the error', async () => {
    const { stream } = await startChatStreamServer('data: {"content":secret}\n\n')
    const error = await collectDeltas(stream()).catch((thrown) => thrown)
    expect(inspect(error)).toContain('an event in the response is not JSON')
    expect(inspect(error)).not.toContain('secret')
  })

  it('closes the connection when the loop ends early', async () => {
    const { server, stream } = await startChatStreamServer((response) => {
      response.write(chatEvent({ content: 'No' }))
    })
    const disconnected = server.nextDisconnect()
    for await (const delta of stream()) {
      expect(delta).toEqual({ content: 'No' })
      break
    }
    await disconnected
  })

  it('throws the reason of an abort and closes the connection', async () => {
    const { server, stream } = await startChatStreamServer((response) => {
      response.write(chatEvent({ content: 'No' }))
    })
    const abort = new AbortController()
    const disconnected = server.nextDisconnect()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const _ of stream(abort.signal)) abort.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
    await disconnected
  })

  it('throws the reason of an abort although the connection was lost before', async () => {
    const { server, stream } = await startChatStreamServer((response) => {
      response.write(chatEvent({ content: 'No' }))
      setImmediate(() => response.destroy())
    })
    const abort = new AbortController()
    const disconnected = server.nextDisconnect()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const _ of stream(abort.signal)) {
        await disconnected
        await setTimeout(50)
        abort.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
  })

  it('reuses connections for the next requests', async () => {
    const ports = new Set<number | undefined>()
    const { stream } = await startChatStreamServer((response) => {
      ports.add(response.socket?.remotePort)
      response.end(completeResponse)
    })
    for (let call = 0; call < 6; call++) await collectDeltas(stream())
    // undici alternates between two connections.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it.each([
    ['plain', (response: ServerResponse) => void response.write(completeResponse)],
    [
      'compressed',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        const gzip = createGzip()
        gzip.pipe(response)
        gzip.write(completeResponse)
        gzip.flush()
      },
    ],
  ])('ends soon after [DONE] even if the service never ends a %s response', async (_n, respond) => {
    const { server, stream } = await startChatStreamServer(respond)
    const disconnected = server.nextDisconnect()
    expect(await collectDeltas(stream())).toEqual(completeDeltas)
    await disconnected
  })
})
