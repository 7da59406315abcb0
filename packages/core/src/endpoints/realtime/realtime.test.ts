import { failureOf } from '@parlando/test-support/client-failure'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/socket-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../client.ts'
import type { RealtimeSession } from '../../wire/realtime-session.ts'
import type { RealtimeConversation, RealtimeOptions } from './realtime.ts'
import type { RealtimeEvent } from './realtime-event.ts'

// A busy machine may take a while for a handshake.
const waitFor = <Result>(check: () => Result) => vi.waitFor(check, 10_000)

/** Starts a service, a conversation with it, and a loop that collects the events. */
async function converse(
  handlers: SocketServerHandlers,
  session: RealtimeSession = {},
  options: RealtimeOptions = {},
) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
  onTestFinished(() => client.close())
  const conversation = client.realtime(session, options)
  const events: RealtimeEvent[] = []
  const ended = collect(conversation, events)
  ended.catch(() => {})
  const seen = (type: string) =>
    waitFor(() => {
      const event = events.findLast((one) => one.type === type)
      expect(events.map((one) => one.type)).toContain(type)
      return event!
    })
  return { server, conversation, events, ended, seen }
}

async function collect(conversation: RealtimeConversation, events: RealtimeEvent[]) {
  for await (const event of conversation) events.push(event)
}

const sentTypes = ({ messages }: ServerSocket) =>
  messages.map((message) => (message as { type: string }).type)
const sentOf = (socket: ServerSocket, type: string) =>
  socket.messages.filter((message) => (message as { type: string }).type === type)

const created = (id = 'r1') => ({ type: 'response.created', response: { id } })
const done = (id = 'r1') => ({ type: 'response.done', response: { id, status: 'completed' } })
const place = { response_id: 'r1', item_id: 'i1', output_index: 0, content_index: 0 }
/** @param durationMs of silence. */
const speech = (durationMs: number, facts = {}) => ({
  type: 'response.output_audio.delta',
  ...place,
  ...facts,
  delta: Buffer.alloc(durationMs * 48).toString('base64'),
})
const speechStarted = {
  type: 'input_audio_buffer.speech_started',
  item_id: 'u1',
  audio_start_ms: 0,
}
const words = {
  type: 'conversation.item.input_audio_transcription.completed',
  item_id: 'u1',
  content_index: 0,
  transcript: 'Stop.',
}
const call = (callId: string) => ({
  type: 'response.output_item.done',
  response_id: 'r1',
  output_index: 0,
  item: {
    id: `f-${callId}`,
    type: 'function_call',
    call_id: callId,
    name: 'light',
    arguments: '{}',
  },
})

/** A service that sends these events as soon as the settings arrive. */
function responding(...events: object[]): SocketServerHandlers {
  return {
    onMessage(socket, { type }) {
      if (type === 'session.update') for (const event of events) socket.send(event)
    },
  }
}

describe('realtime', () => {
  it('sends the settings, then audio and text, in the order of the calls', async () => {
    const { server, conversation, seen } = await converse(responding(speechStarted), {
      instructions: 'Be brief.',
    })
    conversation.sendAudio(Buffer.from([1, 2, 3]))
    conversation.sendAudio(Buffer.from([4]))
    conversation.sendText('Good morning.')
    await seen('input_audio_buffer.speech_started')
    const [socket] = server.sockets
    await waitFor(() => expect(socket!.messages.length).toBe(5))
    expect(socket!.url).toMatch(/^\/api\/v1\/realtime\/session\?key=[\w-]{36}&protocol=realtime$/)
    expect(socket!.messages).toEqual([
      { type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } },
      { type: 'input_audio_buffer.append', audio: Buffer.from([1, 2]).toString('base64') },
      { type: 'input_audio_buffer.append', audio: Buffer.from([3, 4]).toString('base64') },
      {
        type: 'conversation.item.create',
        item: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Good morning.' }],
        },
      },
      { type: 'response.create' },
    ])
    expect(conversation.requestId).toBe(socket!.headers['x-request-id'])
  })

  it('passes on events, decodes audio, and keeps unknown events', async () => {
    const unknown = { type: 'ping', timestamp: 1 }
    const { events, seen } = await converse(responding(created(), speech(1), unknown, done()))
    await seen('response.done')
    const { delta: _, ...facts } = speech(1)
    expect(events).toEqual([
      created(),
      { ...facts, audio: Buffer.alloc(48) },
      { type: 'unknown', event: unknown },
      done(),
    ])
  })

  it('ends normally when the service closes the connection', async () => {
    const { ended, conversation } = await converse({
      onOpen: ({ webSocket }) => webSocket.close(1000),
    })
    await ended
    expect(await failureOf(conversation.sendAudio(Buffer.alloc(2)))).toMatchObject({
      message: 'Conversation failed: it has ended',
    })
  })

  it.each([
    ['not JSON', '{', /is not JSON/],
    ['without a type', '{"a":1}', /has no type/],
  ])('fails on a message that is %s', async (_what, message, problem) => {
    const { ended } = await converse({ onOpen: ({ webSocket }) => webSocket.send(message) })
    expect(await failureOf(ended)).toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringMatching(problem),
    })
  })

  it('ends when nobody says anything', async () => {
    const { ended, server } = await converse(responding(), {}, { idleTimeoutMs: 50 })
    expect(await failureOf(ended)).toMatchObject({ code: 'TIMEOUT', timeoutMs: 50 })
    await waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const { ended, server } = await converse(responding(), {}, { signal: controller.signal })
    await waitFor(() => expect(server.sockets.length).toBe(1))
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(ended).rejects.toBe(reason)
    await waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('rejects settings and events that are not valid', async () => {
    const { conversation } = await converse(responding())
    expect(() => conversation.updateSession({ instruction: '' } as RealtimeSession)).toThrow(
      /instruction/,
    )
    expect(() => conversation.send({ type: 'conversation.item.delete', item_id: '' })).toThrow(
      /item_id/,
    )
  })
})

describe('a response', () => {
  it('is requested when no other one is in progress', async () => {
    const { server, conversation, seen } = await converse(responding(created()))
    await seen('response.created')
    conversation.respond()
    conversation.respond({ instructions: 'Say goodbye.' })
    const socket = server.sockets[0]!
    await waitFor(() => expect(sentTypes(socket)).toEqual(['session.update']))
    socket.send(done())
    await waitFor(() =>
      expect(sentOf(socket, 'response.create')).toEqual([
        { type: 'response.create', response: { instructions: 'Say goodbye.' } },
      ]),
    )
  })

  it('continues when every tool call has its result', async () => {
    const { server, conversation, seen } = await converse(
      responding(created(), call('a'), call('b'), done()),
    )
    await seen('response.done')
    conversation.sendToolResult('a', '{"on":true}')
    conversation.sendToolResult('b', 'done')
    const socket = server.sockets[0]!
    await waitFor(() => expect(sentOf(socket, 'response.create').length).toBe(1))
    expect(sentTypes(socket).slice(1)).toEqual([
      'conversation.item.create',
      'conversation.item.create',
      'response.create',
    ])
    expect(() => conversation.sendToolResult('a', 'again')).toThrow(/no tool call a waits/)
  })
})

describe('an interruption', () => {
  it('reports to the service what the user has heard, and drops late speech', async () => {
    const { server, conversation, seen, events } = await converse(
      responding(created(), speech(60_000)),
    )
    await seen('response.output_audio.delta')
    conversation.reportPlayed('i1', 20_000)
    const socket = server.sockets[0]!
    for (const event of [speechStarted, words, speech(100), done()]) socket.send(event)
    await seen('response.done')
    const interruption = events.find((event) => event.type === 'interrupted')
    expect(interruption).toMatchObject({ unheard: [{ itemId: 'i1', receivedMs: 60_000 }] })
    expect(events.map(({ type }) => type).slice(-5)).toEqual([
      'paused',
      'input_audio_buffer.speech_started',
      'interrupted',
      'conversation.item.input_audio_transcription.completed',
      'response.done',
    ])
    const [truncation] = await vi.waitUntil(() => {
      const sent = sentOf(socket, 'conversation.item.truncate')
      return sent.length > 0 && sent
    })
    const { audio_end_ms } = truncation as { audio_end_ms: number }
    expect(audio_end_ms).toBeGreaterThanOrEqual(20_000)
    expect(audio_end_ms).toBeLessThan(30_000)
    expect(conversation.unplayedMs).toBe(0)
  })

  it('by the client also cancels the response', async () => {
    const { server, conversation, seen } = await converse(responding(created(), speech(60_000)))
    await seen('response.output_audio.delta')
    conversation.interrupt()
    await seen('interrupted')
    const socket = server.sockets[0]!
    await waitFor(() =>
      expect(sentTypes(socket).slice(1)).toEqual(['response.cancel', 'conversation.item.truncate']),
    )
  })

  it('does not happen if the settings do not allow it', async () => {
    const turn_detection = { type: 'server_vad', interrupt_response: false } as const
    const { seen, events } = await converse(
      responding(created(), speech(60_000), speechStarted, done()),
      { audio: { input: { turn_detection } } },
    )
    await seen('response.done')
    expect(events.map(({ type }) => type)).not.toContain('interrupted')
  })
})

describe('a lost connection', () => {
  const item = (id: string, role: string, part: object) => ({
    type: 'conversation.item.done',
    item: { id, type: 'message', role, content: [part] },
  })
  const conversationSoFar = [
    item('u1', 'user', { type: 'input_audio', transcript: null }),
    {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'u1',
      content_index: 0,
      transcript: 'Turn on the light.',
    },
    created(),
    call('a'),
    item('i1', 'assistant', { type: 'output_audio', transcript: 'The light is on.' }),
  ]

  /** A service that holds this conversation over its first connection. */
  const remembering = (): SocketServerHandlers => {
    let isFirst = true
    return {
      onOpen: (socket) => {
        if (isFirst) for (const event of conversationSoFar) socket.send(event)
        isFirst = false
      },
    }
  }

  it('is replaced by a new session with the settings and the items', async () => {
    const { server, conversation, seen } = await converse(remembering(), { instructions: 'A' })
    conversation.updateSession({ audio: { output: { voice: 'Clara' } } })
    await waitFor(() => expect(server.sockets[0]?.messages.length).toBe(2))
    await seen('conversation.item.done')
    server.sockets[0]!.connection.destroy()
    expect(await seen('restored')).toEqual({ type: 'restored', items: 3, isResponseLost: true })
    expect(await seen('reconnecting')).toMatchObject({ error: { code: 'CONNECTION_LOST' } })
    conversation.sendToolResult('a', 'on')
    const socket = server.sockets[1]!
    await waitFor(() => expect(socket.messages.length).toBe(6))
    const type = 'conversation.item.create'
    expect(socket.messages).toEqual([
      {
        type: 'session.update',
        session: {
          type: 'realtime',
          instructions: 'A',
          audio: { input: {}, output: { voice: 'Clara' } },
        },
      },
      {
        type,
        item: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Turn on the light.' }],
        },
      },
      { type, item: { type: 'function_call', call_id: 'a', name: 'light', arguments: '{}' } },
      {
        type,
        item: {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'The light is on.' }],
        },
      },
      { type, item: { type: 'function_call_output', call_id: 'a', output: 'on' } },
      { type: 'response.create' },
    ])
    expect(socket.url).not.toBe(server.sockets[0]!.url)
  })

  it('is an error if nothing was said over it', async () => {
    const { server, ended } = await converse({})
    await waitFor(() => expect(server.sockets.length).toBe(1))
    server.sockets[0]!.connection.destroy()
    expect(await failureOf(ended)).toMatchObject({ code: 'CONNECTION_LOST', retryable: true })
    expect(server.handshakes()).toBe(1)
  })

  it('is an error if the caller wants no other connection', async () => {
    const { server, ended, seen } = await converse(remembering(), {}, { reconnect: false })
    await seen('conversation.item.done')
    server.sockets[0]!.connection.destroy()
    expect(await failureOf(ended)).toMatchObject({ code: 'CONNECTION_LOST' })
  })

  it('is an error if the service rejects another connection', async () => {
    let handshakes = 0
    const { server, ended, seen } = await converse({
      ...remembering(),
      onUpgrade: (connection, accept) =>
        ++handshakes === 1 ? accept() : connection.end('HTTP/1.1 429 Too Many Requests\r\n\r\n'),
    })
    await seen('conversation.item.done')
    server.sockets[0]!.connection.destroy()
    expect(await failureOf(ended)).toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
  })
})
