import { setTimeout } from 'node:timers/promises'
import { failureOf } from '@parlando/test-support/client-failure'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/socket-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../client.ts'
import type { ClientOptions } from '../../http/options.ts'
import type { DebugEvent } from '../../http/trace.ts'
import type { SpeechChunk } from './source.ts'
import type { SpeechContext } from './speech-context.ts'

const status = { code: 0, message: '', details: [] }
const pcm = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const settings = { voiceId: 'Clara', audioConfig: pcm }
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const chunk = (bytes: number, more: object = {}) => ({
  audioChunk: { audioContent: base64(new Uint8Array(bytes).fill(7)), ...more },
})

async function start(handlers: SocketServerHandlers, options: Partial<ClientOptions> = {}) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...options })
  onTestFinished(() => client.close())
  return { server, client, socket: client.speechSocket() }
}

interface ClientMessage {
  contextId: string
  create?: object
  send_text?: { text: string }
  flush_context?: object
  close_context?: object
}

function reply(socket: ServerSocket, contextId: string, ...results: object[]): void {
  for (const result of results) socket.send({ result: { contextId, ...result, status } })
}

/** A service that speaks one chunk of 4 bytes for each character when a context is flushed or closed. */
function speaking(): SocketServerHandlers {
  const texts = new Map<string, string>()
  const flush = (socket: ServerSocket, id: string) => {
    const text = texts.get(id) ?? ''
    texts.set(id, '')
    if (text) reply(socket, id, chunk(text.length * 4), { flushCompleted: {} })
  }
  return {
    onMessage(socket, message) {
      const { contextId: id, create, ...verbs } = message as unknown as ClientMessage
      if (create) reply(socket, id, { contextCreated: create })
      if (verbs.send_text) texts.set(id, (texts.get(id) ?? '') + verbs.send_text.text)
      if (verbs.flush_context || verbs.close_context) flush(socket, id)
      if (verbs.close_context) reply(socket, id, { contextClosed: {} })
    },
  }
}

/** A service that responds to `create` with these results. */
const responding = (...results: object[]): SocketServerHandlers => ({
  onMessage(socket, { contextId, create }) {
    if (create) reply(socket, contextId as string, ...results)
  },
})

async function read(context: SpeechContext): Promise<SpeechChunk[]> {
  const chunks: SpeechChunk[] = []
  for await (const chunk of context) chunks.push(chunk)
  return chunks
}

describe('a speech socket', () => {
  it('speaks many texts through one connection', async () => {
    const { server, socket } = await start(speaking())
    const context = socket.context(settings)
    context.write('The laundry ')
    context.write('is done.')
    context.flush()
    context.write(' Now.')
    context.end()
    const { audio, ...result } = await context.collect()
    expect(audio).toEqual(Buffer.alloc(100, 7))
    expect(result).toMatchObject({
      encoding: 'PCM',
      mediaType: 'audio/pcm',
      sampleRateHertz: 24_000,
      requestId: server.sockets[0]!.headers['x-request-id'],
    })
    expect(context.durationSeconds).toBeCloseTo(50 / 24_000)
    expect(context.firstAudioMs).toBeGreaterThan(0)
    const next = socket.context({ ...settings, modelId: 'svc-tts-2-flash', autoMode: true })
    next.write('Hi.')
    next.end()
    expect((await next.collect()).audio).toHaveLength(12)
    expect(server.handshakes()).toBe(1)
    expect(server.sockets[0]!.url).toBe('/tts/v1/voice:streamBidirectional')
    const contextId = 'context-1'
    expect(server.sockets[0]!.messages).toEqual([
      { contextId, create: { ...settings, modelId: 'svc-tts-2' } },
      { contextId, send_text: { text: 'The laundry ' } },
      { contextId, send_text: { text: 'is done.' } },
      { contextId, flush_context: {} },
      { contextId, send_text: { text: ' Now.' } },
      { contextId, close_context: {} },
      {
        contextId: 'context-2',
        create: { ...settings, modelId: 'svc-tts-2-flash', autoMode: true },
      },
      { contextId: 'context-2', send_text: { text: 'Hi.' } },
      { contextId: 'context-2', close_context: {} },
    ])
  })

  it('joins the syntheses of a context to one file with one time line and one usage', async () => {
    const words = (text: string) => ({
      timestampInfo: {
        wordAlignment: {
          words: [text],
          wordStartTimeSeconds: [0.1],
          wordEndTimeSeconds: [0.2],
        },
      },
    })
    const usage = (count: number) => ({
      usage: { processedCharactersCount: count, modelId: 'svc-tts-2' },
    })
    const { socket } = await start(
      responding(
        { contextCreated: {} },
        chunk(24_000, usage(4)),
        chunk(0, { ...words('One.'), ...usage(0) }),
        { flushCompleted: {} },
        chunk(24_000, { ...words('Two.'), ...usage(8) }),
        { flushCompleted: {} },
        { contextClosed: {} },
      ),
    )
    const context = socket.context({ ...settings, timestampType: 'WORD' })
    context.write('One. Two.')
    context.end()
    const { audio, timestamps, usage: total } = await context.collect()
    expect(audio).toHaveLength(48_000)
    expect(timestamps?.words).toEqual([
      { text: 'One.', startSeconds: 0.1, endSeconds: 0.2 },
      { text: 'Two.', startSeconds: 0.6, endSeconds: 0.7 },
    ])
    expect(total).toEqual({ processedCharactersCount: 8, modelId: 'svc-tts-2' })
  })

  it('sends a long text in messages of at most 2,000 characters, and none in the middle of a character', async () => {
    const { server, socket } = await start(speaking())
    const context = socket.context(settings)
    const text = `${'a'.repeat(1999)}😀${'b'.repeat(3000)}`
    context.write(text)
    context.end()
    await context.collect()
    const sent = server.sockets[0]!.messages.flatMap(
      (message) => (message as ClientMessage).send_text?.text ?? [],
    )
    expect(sent.map(({ length }) => length)).toEqual([1999, 2000, 1002])
    expect(sent.join('')).toBe(text)
  })

  it('keeps the audio until it is read, and drops the audio of a closed context', async () => {
    const { server, socket } = await start(speaking())
    const dropped = socket.context(settings)
    dropped.write('Never heard.')
    const kept = socket.context(settings)
    kept.write('Kept.')
    kept.end()
    await vi.waitFor(() => expect(kept.durationSeconds).toBeDefined())
    await dropped.close()
    const next = socket.context(settings)
    next.write('Hi.')
    next.end()
    await next.collect()
    const messages = server.sockets[0]!.messages.filter(
      (message) => (message as ClientMessage).contextId === 'context-1',
    )
    expect(messages.at(-1)).toEqual({ contextId: 'context-1', close_context: {} })
    expect((await kept.collect()).audio).toHaveLength(20)
    expect(dropped.firstAudioMs).toBeUndefined()
    expect(() => dropped.write('Hi.')).toThrow('write was called after end or close')
    await expect(read(dropped)).rejects.toThrow('can be consumed once')
  })

  it('has at most five contexts, and takes new ones when the service has closed old ones', async () => {
    const { socket } = await start(speaking())
    const contexts = Array.from({ length: 5 }, () => socket.context(settings))
    expect(socket.freeContexts).toBe(0)
    expect(() => socket.context(settings)).toThrow('the speech socket has 5 contexts')
    for (const context of contexts) context.end()
    await Promise.all(contexts.map(read))
    expect(socket.freeContexts).toBe(5)
    socket.context(settings)
  })

  it('ends a context without text, and fails one whose text has no audio', async () => {
    const { socket } = await start(responding({ contextClosed: {} }))
    const silent = socket.context(settings)
    silent.write(' … ')
    silent.end()
    const spoken = socket.context(settings)
    spoken.write('Hi.')
    spoken.end()
    expect(await read(silent)).toEqual([])
    await expect(read(spoken)).rejects.toMatchObject({ code: 'NO_AUDIO' })
  })

  it.each([
    ['settings that are not valid', { voiceId: '' }, 'voiceId'],
    ['FLAC', { ...settings, audioConfig: { audioEncoding: 'FLAC' } }, 'a socket cannot send FLAC'],
    ['a field that a socket does not have', { ...settings, instruction: 'Calm' }, 'instruction'],
  ])('rejects %s before it sends anything', async (_name, input, message) => {
    const { socket } = await start(speaking())
    expect(() => socket.context(input as never)).toThrow(message)
  })

  it('reports the connection to the debug hook', async () => {
    const events: DebugEvent[] = []
    const { socket } = await start(speaking(), { debug: (event) => events.push(event) })
    await socket.opened()
    await socket.close()
    await vi.waitFor(() => expect(events).toHaveLength(3))
    expect(events.map(({ type }) => type)).toEqual(['request', 'first-byte', 'end'])
    expect(events.at(-1)).toMatchObject({ what: 'Speech', code: 'ABORTED' })
  })

  it('shows the service every four minutes that a context is still used', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { server, socket } = await start(speaking())
    const context = socket.context(settings)
    context.write('Hi.')
    context.flush()
    const chunks = context[Symbol.asyncIterator]()
    await chunks.next()
    vi.advanceTimersByTime(4 * 60_000)
    context.end()
    while (!(await chunks.next()).done);
    expect(server.sockets[0]!.messages.slice(-2)).toEqual([
      { contextId: 'context-1', send_text: { text: '' } },
      { contextId: 'context-1', close_context: {} },
    ])
  })

  it('counts contexts for maxConcurrent, and not the open connection', async () => {
    const { client, server, socket } = await start(speaking(), { maxConcurrent: 1 })
    await socket.opened()
    const first = socket.context(settings)
    const second = socket.context(settings)
    second.write('Two.')
    second.end()
    await vi.waitFor(() => expect(server.sockets[0]!.messages).toHaveLength(1))
    first.end()
    await read(first)
    expect((await second.collect()).audio).toHaveLength(16)
    const other = client.speechSocket()
    await other.opened()
  })
})

describe('a failure', () => {
  it('of a context leaves the others', async () => {
    const problem = { code: 5, message: 'Unknown voice: Nobody', details: [] }
    const service = speaking()
    const { socket } = await start({
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
    ['a message that is not JSON', 'hello', 'BAD_RESPONSE'],
    ['a list', '{"result":[]}', 'BAD_RESPONSE'],
    ['audio that is not text', '{"result":{"audioChunk":{"audioContent":5}}}', 'BAD_RESPONSE'],
    ['a binary message', Buffer.from('{}'), 'BAD_RESPONSE'],
  ])('of the connection, %s, ends every context', async (_name, message, code) => {
    const { socket, server } = await start({
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
      const { socket } = await start({
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
    const { socket } = await start({
      onUpgrade: (connection) => connection.end('HTTP/1.1 404 Not Found\r\n\r\n'),
    })
    const context = socket.context(settings)
    context.write('Hi.')
    expect(await failureOf(socket.opened())).toMatchObject({ code: 'NOT_FOUND' })
    expect(await failureOf(read(context))).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of a service that closes a context early ends that context', async () => {
    const { socket } = await start(responding(chunk(8), { contextClosed: {} }))
    const context = socket.context(settings)
    expect(await failureOf(read(context))).toMatchObject({ code: 'CONNECTION_LOST' })
  })

  it('of a service that falls silent after the end is a timeout, and the connection goes on', async () => {
    const service = speaking()
    const { socket } = await start({
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
    const { socket } = await start(responding({ contextCreated: {} }))
    const context = socket.context(settings, { timeoutMs: 30 })
    expect(await failureOf(read(context))).toMatchObject({ code: 'TIMEOUT', phase: 'total' })
  })

  it('of an aborted context is the reason, also before the connection is open', async () => {
    const { socket, server } = await start(responding({ contextCreated: {} }, chunk(8)))
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
    const { socket, client } = await start(responding({ contextCreated: {} }))
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
  const flood = (chunks: number): SocketServerHandlers => ({
    onMessage(socket, { contextId, create }) {
      if (!create) return
      for (let index = 0; index < chunks; index++) {
        reply(socket, contextId as string, chunk(96_000))
      }
    },
  })

  it('holds back the service if it is the only reader', async () => {
    const { socket, server } = await start(flood(400))
    const context = socket.context(settings)
    const chunks = context[Symbol.asyncIterator]()
    await chunks.next()
    await setTimeout(300)
    expect(server.sockets[0]!.webSocket.bufferedAmount).toBeGreaterThan(10_000_000)
    let read = 1
    while (read < 400) {
      await chunks.next()
      read += 1
    }
    await chunks.return?.()
  })

  it('does not hold back other readers, and fails when 16 MiB wait', async () => {
    const { socket } = await start(flood(250))
    const slow = socket.context(settings)
    const fast = socket.context(settings)
    let received = 0
    for await (const _ of fast) {
      received += 1
      if (received === 250) break
    }
    expect(await failureOf(read(slow))).toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  })

  it('must not write more than a million characters before the connection is open', async () => {
    const { socket } = await start({ onUpgrade() {} })
    const context = socket.context(settings)
    context.write('a'.repeat(999_999))
    expect(() => context.write('bc')).toThrow('more than 1000000 characters would wait')
  })
})
