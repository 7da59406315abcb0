import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import {
  failureOf,
  failWith,
  openStream,
  readAll,
  respond,
  response,
} from '@parlando/test-support/servers/client-failure'
import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

describe('a rejected handshake', () => {
  it.each([
    [
      '401 Unauthorized',
      '{"code":16,"message":"no key"}',
      'UNAUTHENTICATED',
      false,
      ': no key. Check',
    ],
    ['404 Not Found', '{"error":{"message":"no such path"}}', 'NOT_FOUND', false, ': no such path'],
    [
      '429 Too Many',
      '{"code":8,"message":"20 sockets"}',
      'RESOURCE_EXHAUSTED',
      true,
      ': 20 sockets',
    ],
    ['501 No', '{"code":12,"message":"no recogniser"}', 'UNIMPLEMENTED', false, ': no recogniser'],
    ['503 Busy', '<h1>Busy</h1>', 'UNAVAILABLE', true, ': Busy'],
    ['502 Bad Gateway', `<p>${'x'.repeat(200_000)}</p>`, 'INTERNAL', true, ': xxx'],
  ])(
    'is an ApiError with the reason of the service: %s',
    async (status, body, code, retryable, text) => {
      const { server, error } = await failWith({ onUpgrade: respond(response(status, body)) })
      expect(error).toMatchObject({
        name: 'ApiError',
        code,
        retryable,
        status: Number.parseInt(status, 10),
      })
      expect(error.message).toContain(
        `Transcription rejected (${Number.parseInt(status, 10)} ${code})${text}`,
      )
      expect(error.message.length).toBeLessThan(500)
      expect(server.handshakes()).toBe(1)
    },
  )

  it.each([
    ['ends early', (connection: Duplex) => connection.destroy(), 30_000],
    // The status must arrive before, also on a busy machine.
    ['never ends', () => {}, 2000],
  ])('has the status even if its body %s', async (_how, then, connectTimeoutMs) => {
    const { error } = await failWith(
      {
        onUpgrade(connection) {
          connection.write('HTTP/1.1 403 No\r\ncontent-length: 100\r\n\r\n{', () =>
            setTimeout(then, 20, connection),
          )
        },
      },
      { connectTimeoutMs },
    )
    expect(error).toMatchObject({ code: 'PERMISSION_DENIED', status: 403 })
  })

  it('does not hold the event loop if its body arrives in pieces of a byte', async () => {
    const pieces = '1\r\nx\r\n'.repeat(60_000)
    const rejection = `HTTP/1.1 403 No\r\ntransfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`
    let message = ''
    const heldMs = await measureHold(async () => {
      const { error } = await failWith({ onUpgrade: respond(rejection) })
      message = error.message
    })
    expect(message).toContain(': xxx')
    expect(heldMs).toBeLessThan(maxHoldMs)
  })

  it('is retried as the service asks, with the messages that wait', async () => {
    const onRetry = vi.fn()
    let handshakes = 0
    const server = await startSocketServer({
      onUpgrade(connection, accept) {
        handshakes += 1
        if (handshakes > 2) return accept()
        connection.end(response('503 Busy', '', 'retry-after: 0\r\n'))
      },
      onOpen: ({ webSocket }) => webSocket.on('message', () => webSocket.close(1013)),
    })
    const error = await failureOf(readAll(openStream(server.baseUrl, { maxRetries: 2, onRetry })))
    expect(error).toMatchObject({ code: 'CONNECTION_LOST' })
    expect(onRetry.mock.calls).toMatchObject([
      [{ what: 'Transcription', attempt: 1, delayMs: 0, error: { code: 'UNAVAILABLE' } }],
      [{ attempt: 2 }],
    ])
    expect(server.sockets).toHaveLength(1)
    expect(server.sockets[0]?.messages).toHaveLength(1)
  })

  it.each([
    ['200 OK', '(status 200)'],
    ['302 Found', '(status 302)'],
    ['101 Switching Protocols', 'at this address'],
  ])('is a ProtocolError if the response opens no socket: %s', async (status, text) => {
    const headers = 'location: http://127.0.0.1:1/\r\nupgrade: websocket\r\nconnection: upgrade\r\n'
    const { error } = await failWith({ onUpgrade: respond(response(status, 'hello', headers)) })
    expect(error).toMatchObject({ name: 'ProtocolError', code: 'BAD_RESPONSE', retryable: false })
    expect(error.message).toContain(`the service does not open a WebSocket at this address`)
    expect(error.message).toContain(text)
  })

  it('is a ConnectionError without a service, or if the service does not use HTTP', async () => {
    const garbage = createServer(
      (connection) => void connection.on('error', () => {}).end('hello\n'),
    )
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void garbage.close())
    const { port } = garbage.address() as { port: number }
    for (const baseUrl of [unreachableUrl, `http://127.0.0.1:${port}`]) {
      const error = await failureOf(readAll(openStream(baseUrl)))
      expect(error).toMatchObject({ code: 'NOT_REACHABLE', retryable: true })
      expect(error.message).toContain(`no response from ${baseUrl}`)
      expect(error.cause).toBeInstanceOf(Error)
    }
  })

  it('is a ConnectionError if the service closes the connection', async () => {
    const { error } = await failWith({ onUpgrade: (connection) => connection.destroy() })
    expect(error).toMatchObject({ code: 'NOT_REACHABLE', retryable: true })
  })
})
