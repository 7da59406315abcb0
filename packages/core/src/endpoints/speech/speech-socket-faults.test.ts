import { failureOf } from '@parlando/test-support/servers/client-failure'
import type {
  ServerSocket,
  SocketServer,
  SocketServerHandlers,
} from '@parlando/test-support/servers/socket-server'
import {
  chunk,
  read,
  reply,
  responding,
  settings,
  speaking,
  startSpeech,
} from '@parlando/test-support/servers/speech-socket-server'
import { describe, expect, it, vi } from 'vitest'

describe('a failure', () => {
  it('of a context leaves the others', async () => {
    const problem = { code: 5, message: 'Unknown voice: Nobody', details: [] }
    const service = speaking()
    const { socket } = await startSpeech({
      onMessage(serverSocket, message) {
        const { create, contextId } = message as { create?: { voiceId: string }; contextId: string }
        if (create?.voiceId === 'Nobody') {
          serverSocket.send({ result: { contextId, status: problem } })
        } else if (contextId !== 'context-1') service.onMessage!(serverSocket, message)
      },
    })
    const bad = socket.context({ voiceId: 'Nobody' })
    const good = socket.context(settings)
    bad.write('Hi.')
    good.write('Hi.')
    good.end()
    await expect(read(bad)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Speech rejected (404 NOT_FOUND): Unknown voice: Nobody',
    })
    bad.write('This has no effect.')
    expect((await good.collect()).audio).toHaveLength(12)
  })

  it.each([
    ['an error without a context', '{"error":{"code":16,"message":"no"}}', 'UNAUTHENTICATED'],
    ['an error body', '{"code":16,"message":"no"}', 'UNAUTHENTICATED'],
    ['a message that is not JSON', 'hello', 'BAD_RESPONSE'],
    [
      'audio that is not base64',
      '{"result":{"audioChunk":{"audioContent":"AA$A"}}}',
      'BAD_RESPONSE',
    ],
    ['a list', '{"result":[]}', 'BAD_RESPONSE'],
    ['audio that is not text', '{"result":{"audioChunk":{"audioContent":5}}}', 'BAD_RESPONSE'],
    ['a binary message', Buffer.from('{}'), 'BAD_RESPONSE'],
  ])('of the connection, %s, ends every context', async (_name, message, code) => {
    const { socket, server } = await startSpeech({
      onMessage({ webSocket, messages }) {
        if (messages.length === 2) webSocket.send(message)
      },
    })
    const contexts = [socket.context(settings), socket.context(settings)]
    for (const context of contexts) await expect(read(context)).rejects.toMatchObject({ code })
    expect(socket).toMatchObject({ isOpen: false, freeContexts: 0 })
    expect(() => socket.context(settings)).toThrow('open a new one')
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it.each([
    ['is cut', (socket: ServerSocket) => socket.connection.destroy()],
    ['is closed', (socket: ServerSocket) => socket.webSocket.close(1000)],
    ['is closed by a restart', (socket: ServerSocket) => socket.webSocket.close(1012)],
  ])('of a connection that %s ends a context at every event', async (_name, cut) => {
    for (const received of [0, 1, 2, 3]) {
      const results = [{ contextCreated: {} }, chunk(8), { flushCompleted: {} }].slice(0, received)
      const { socket } = await startSpeech({
        onMessage(serverSocket, { contextId, create }) {
          if (!create) return
          reply(serverSocket, contextId as string, ...results)
          serverSocket.webSocket.ping('', false, () => cut(serverSocket))
        },
      })
      const context = socket.context(settings)
      context.write('Hi.')
      const failure = await failureOf(read(context))
      expect(failure).toMatchObject({ code: 'CONNECTION_LOST' })
    }
  })

  it('of the handshake is the error of every context and of opened', async () => {
    const { socket } = await startSpeech({
      onUpgrade: (connection) => connection.end('HTTP/1.1 404 Not Found\r\n\r\n'),
    })
    const context = socket.context(settings)
    context.write('Hi.')
    expect(await failureOf(socket.opened())).toMatchObject({ code: 'NOT_FOUND' })
    expect(await failureOf(read(context))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of a service that closes a context early ends that context', async () => {
    const { socket } = await startSpeech(responding(chunk(8), { contextClosed: {} }))
    const context = socket.context(settings)
    expect(await failureOf(read(context))).toMatchObject({ code: 'CONNECTION_LOST' })
  })

  it('of a service that falls silent after the end is a timeout, and the connection goes on', async () => {
    const service = speaking()
    const { socket } = await startSpeech({
      onMessage(serverSocket, message) {
        if (message['contextId'] !== 'context-1') service.onMessage!(serverSocket, message)
      },
    })
    const silent = socket.context(settings, { firstByteTimeoutMs: 50 })
    silent.write('Hi.')
    silent.end()
    expect(await failureOf(read(silent))).toMatchObject({ code: 'TIMEOUT', phase: 'next byte' })
    const good = socket.context(settings)
    good.write('Hi.')
    good.end()
    expect((await good.collect()).audio).toHaveLength(12)
  })

  it('of a context that takes longer than timeoutMs is a timeout', async () => {
    const { socket } = await startSpeech(responding({ contextCreated: {} }))
    const context = socket.context(settings, { timeoutMs: 30 })
    expect(await failureOf(read(context))).toMatchObject({ code: 'TIMEOUT', phase: 'total' })
  })

  it('of an aborted context is the reason, also before the connection is open', async () => {
    const { socket, server } = await startSpeech(responding({ contextCreated: {} }, chunk(8)))
    const controller = new AbortController()
    const context = socket.context(settings, { signal: controller.signal })
    const unsent = socket.context(settings, { signal: AbortSignal.abort(new Error('never')) })
    await expect(read(unsent)).rejects.toThrow('never')
    const chunks = context[Symbol.asyncIterator]()
    await chunks.next()
    controller.abort(new Error('enough'))
    await expect(chunks.next()).rejects.toThrow('enough')
    await vi.waitFor(() =>
      expect(server.sockets[0]!.messages.at(-1)).toEqual({
        contextId: 'context-1',
        close_context: {},
      }),
    )
  })

  it('of a closed client or socket ends its contexts', async () => {
    const { socket, client } = await startSpeech(responding({ contextCreated: {} }))
    const context = socket.context(settings)
    const reading = failureOf(read(context))
    await socket.opened()
    await socket.close()
    expect(await reading).toMatchObject({ code: 'INVALID_INPUT' })
    const other = client.speechSocket().context(settings)
    await client.close()
    expect(await failureOf(read(other))).toMatchObject({ code: 'NOT_REACHABLE' })
  })
})

describe('a slow reader', () => {
  const flood = (chunks: number, content: object = chunk(96_000)): SocketServerHandlers => ({
    onMessage(socket, { contextId, create }) {
      if (!create) return
      for (let index = 0; index < chunks; index++) reply(socket, contextId as string, content)
    },
  })

  /** Resolves when the service has had messages to send for a while, and the client has taken none. */
  const heldBack = async ({ sockets }: SocketServer) => {
    const seen: number[] = []
    await vi.waitFor(
      () => {
        seen.unshift(sockets[0]!.webSocket.bufferedAmount)
        expect(seen.slice(1, 6)).toEqual(Array(5).fill(seen[0] || 'more than nothing'))
      },
      { interval: 50, timeout: 10_000 },
    )
  }

  it('holds back the service if it is the only reader', async () => {
    const { socket, server } = await startSpeech(flood(400))
    const context = socket.context(settings)
    const chunks = context[Symbol.asyncIterator]()
    await chunks.next()
    await heldBack(server)
    expect(server.sockets[0]!.webSocket.bufferedAmount).toBeGreaterThan(10_000_000)
    let read = 1
    while (read < 400) {
      await chunks.next()
      read += 1
    }
    await chunks.return?.()
  })

  it('holds back the service at once if a few chunks are large', async () => {
    const { socket, server } = await startSpeech(flood(10, chunk(2_400_000)))
    const context = socket.context(settings)
    context.write('Hi.')
    await heldBack(server)
    const chunks = context[Symbol.asyncIterator]()
    for (let count = 0; count < 10; count++) await chunks.next()
    expect(context.durationSeconds).toBe((10 * 2_400_000) / 48_000)
    await chunks.return?.()
  })

  const timestamps = {
    wordAlignment: {
      words: Array(1000).fill('word'),
      wordStartTimeSeconds: Array(1000).fill(0.1),
      wordEndTimeSeconds: Array(1000).fill(0.2),
    },
  }

  it.each([
    ['of audio', chunk(96_000)],
    ['of timestamps', chunk(0, { timestampInfo: timestamps })],
  ])('does not hold back other readers, and fails when 16 MiB %s wait', async (_what, content) => {
    const { socket } = await startSpeech(flood(250, content))
    const slow = socket.context(settings)
    const fast = socket.context(settings)
    let received = 0
    for await (const _ of fast) {
      received += 1
      if (received === 250) break
    }
    expect(await failureOf(read(slow))).toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      message:
        'Speech failed: 16777216 bytes of this context wait for their reader; read each context while it is spoken, or close it',
    })
  })

  it('does not fail if it never catches up, but less than 16 MiB wait', async () => {
    const { socket } = await startSpeech({
      onMessage(serverSocket, { contextId, create }) {
        if (!create || contextId === 'context-1') return
        for (let index = 0; index < 400; index++) {
          reply(serverSocket, 'context-1', chunk(96_000))
          reply(serverSocket, 'context-2', chunk(96_000))
        }
      },
    })
    const slow = socket.context(settings)[Symbol.asyncIterator]()
    const fast = socket.context(settings)[Symbol.asyncIterator]()
    for (let count = 0; count < 100; count++) await fast.next()
    for (let count = 0; count < 250; count++) await Promise.all([slow.next(), fast.next()])
    await slow.return?.()
    await fast.return?.()
  })

  it('does not hold back a context that begins later', async () => {
    const service = speaking()
    const { socket, server } = await startSpeech({
      onMessage(serverSocket, message) {
        const isFirst = message['contextId'] === 'context-1'
        ;(isFirst ? flood(400) : service).onMessage!(serverSocket, message)
      },
    })
    const unread = socket.context(settings)
    unread.write('Hi.')
    await heldBack(server)
    const later = socket.context(settings)
    later.write('Hi.')
    later.end()
    await vi.waitFor(() => expect(later.durationSeconds).toBeDefined())
    expect(await failureOf(read(unread))).toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
    expect((await later.collect()).audio).toHaveLength(12)
  })

  it('must not write more than a million characters before the connection is open', async () => {
    const { socket } = await startSpeech({ onUpgrade() {} })
    const context = socket.context(settings)
    context.write('a'.repeat(999_999))
    expect(() => context.write('bc')).toThrow('more than 1000000 characters would wait')
  })
})
