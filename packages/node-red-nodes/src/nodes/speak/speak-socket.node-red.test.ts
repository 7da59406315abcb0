import type { Duplex } from 'node:stream'
import {
  lastStatus,
  speak,
  speakAndCatch,
  useSpeak,
} from '@parlando/test-support/node-red/flows/speak-flow'
import {
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/servers/socket-server'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const { loadSpeak } = useSpeak()
const spoken = Buffer.alloc(480, 1)
const requested = Buffer.alloc(480, 2)
const status = { code: 0, message: '', details: [] }
const chunk = { audioChunk: { audioContent: spoken.toString('base64') } }

/** A service that responds to each closed context with these results. */
const responding = (...results: object[]): SocketServerHandlers => ({
  onMessage(socket, { contextId, close_context }) {
    if (!close_context) return
    for (const result of results) socket.send({ result: { contextId, status, ...result } })
  },
})
const speaking = responding(chunk, { flushCompleted: {} }, { contextClosed: {} })

async function start(handlers: SocketServerHandlers | undefined, settings: object = {}) {
  const server = await startTestServer((response) => void response.end(audioLine(requested)))
  const sockets = handlers && (await startSocketServer({ ...handlers, server: server.server }))
  const flow = await loadSpeak({
    baseUrl: server.baseUrl,
    speak: { output: 'whole', encoding: 'PCM', ...settings },
    service: { retries: 0 },
  })
  return { server, sockets, flow }
}

const part = (payload: string, index: number, more: object = {}) => ({
  payload,
  parts: { id: 'answer', type: 'string', ch: ' ', index, ...more },
})

describe('parts of a sequence of texts', () => {
  it('are spoken through one connection, without a request for each', async () => {
    const { server, sockets, flow } = await start(speaking)
    await speak(flow, part('One.', 0))
    await speak(flow, part('Two.', 1))
    const messages = await flow.waitFor('out', 2)
    expect(messages.map(({ payload }) => payload)).toEqual([spoken, spoken])
    expect(messages[1]).toMatchObject({
      audio: { encoding: 'PCM', bytes: 480, characters: 4, firstAudioMs: expect.any(Number) },
      parts: { id: 'answer', index: 1, type: 'buffer' },
    })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green', text: 'speak.status.spoke' })
    expect(server.requests).toEqual([])
    expect(sockets!.handshakes()).toBe(1)
    expect(sockets!.sockets[0]!.messages).toMatchObject([
      { create: { voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig: { audioEncoding: 'PCM' } } },
      { send_text: { text: 'One.' } },
      { close_context: {} },
      { create: {} },
      { send_text: { text: 'Two.' } },
      { close_context: {} },
    ])
  })

  it('need a request each from a service without the socket, which is asked once', async () => {
    const { server, sockets, flow } = await start({
      onUpgrade: (connection) => connection.end('HTTP/1.1 404 Not Found\r\n\r\n'),
    })
    await speak(flow, part('One.', 0))
    await speak(flow, part('Two.', 1))
    expect(server.requests).toHaveLength(2)
    expect(sockets!.handshakes()).toBe(1)
  })

  it.each([
    ['FLAC, which a socket cannot send', { encoding: 'FLAC' }, {}],
    ['settings of a request', {}, { speechOptions: { instruction: 'calm' } }],
  ])('need a request for %s', async (_name, settings, message) => {
    const { server, sockets, flow } = await start(speaking, settings)
    await speak(flow, { ...part('One.', 0), ...message })
    expect(server.requests).toHaveLength(1)
    expect(sockets!.sockets[0]!.messages).toEqual([])
  })

  it.each<[string, SocketServerHandlers]>([
    [
      'an error on its context',
      responding({ status: { code: 14, message: 'busy' } }, { contextClosed: {} }),
    ],
    ['a lost connection', { onMessage: ({ connection }) => connection.destroy() }],
    ['a context without audio', responding({ contextClosed: {} })],
    ['garbage', { onMessage: ({ webSocket }) => webSocket.send('{') }],
  ])('are requested after %s before the first audio', async (_name, handlers) => {
    const { server, flow } = await start(handlers)
    await speak(flow, part('One.', 0))
    const [message] = await flow.waitFor('out', 1)
    expect(message?.payload).toEqual(requested)
    expect(server.requests).toHaveLength(1)
    expect(flow.received('caught')).toEqual([])
  })

  it('go to Catch if the connection is lost after the first audio', async () => {
    const { server, flow } = await start({
      onMessage(socket, { contextId, close_context }) {
        if (!close_context) return
        socket.send({ result: { contextId, status, ...chunk } })
        socket.webSocket.ping('', false, () => socket.connection.destroy())
      },
    })
    const { error } = await speakAndCatch(flow, part('One.', 0))
    expect(error).toMatchObject({ code: 'CONNECTION_LOST' })
    expect(server.requests).toEqual([])
  })

  it('wait only once for a connection that does not open, such as behind a proxy', async () => {
    const connections: Duplex[] = []
    const { sockets, flow } = await start({ onUpgrade: (one) => void connections.push(one) })
    const setTimeout = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => void setTimeout.mockRestore())
    const waits = () => setTimeout.mock.calls.filter(([, ms]) => ms === 1000).length
    await speak(flow, part('One.', 0))
    expect(waits()).toBe(1)
    connections[0]!.destroy()
    await vi.waitFor(async () => {
      await speak(flow, part('Two.', 1))
      expect(sockets!.handshakes()).toBe(2)
    })
    await speak(flow, part('Three.', 2))
    expect(waits()).toBe(1)
  })

  it('are spoken through a new connection after the old one has closed', async () => {
    const { sockets, flow } = await start(speaking)
    await speak(flow, part('One.', 0))
    sockets!.sockets[0]!.webSocket.close(1000)
    await vi.waitFor(() => expect(sockets!.sockets[0]!.webSocket.readyState).toBe(3))
    await speak(flow, part('Two.', 1))
    expect(sockets!.handshakes()).toBe(2)
  })

  it('are stopped by msg.stop, and the connection stays for the next answer', async () => {
    const { server, sockets, flow } = await start(responding(chunk), { output: 'chunks' })
    flow.node('speak').receive(part('One.', 0))
    flow.node('speak').receive(part('Two.', 1))
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ stop: true })
    await flow.waitFor('completed', 3)
    expect(flow.received('out')).toHaveLength(1)
    expect(sockets!.openConnections()).toBe(1)
    expect(server.requests).toEqual([])
  })
})

it('a message that is not part of a sequence is a request', async () => {
  const { server, sockets, flow } = await start(speaking)
  await speak(flow, { payload: 'One.' })
  expect(server.requests).toHaveLength(1)
  expect(sockets!.handshakes()).toBe(0)
})
