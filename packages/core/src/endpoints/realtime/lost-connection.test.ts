import { failureOf } from '@parlando/test-support/servers/client-failure'
import {
  call,
  created,
  done,
  sentOf,
  speech,
  startConversation,
  waitFor,
} from '@parlando/test-support/servers/realtime-server'
import type {
  ServerSocket,
  SocketServerHandlers,
} from '@parlando/test-support/servers/socket-server'
import { describe, expect, it } from 'vitest'
import type { RealtimeItem } from '../../wire/realtime-item.ts'

const itemsSent = (socket: ServerSocket) =>
  sentOf(socket, 'conversation.item.create').map((event) => (event as { item: RealtimeItem }).item)
const textSent = ({ content, arguments: json }: RealtimeItem) => content?.[0]?.text ?? json

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
    const { server, conversation, seen } = await startConversation(remembering(), {
      instructions: 'A',
    })
    conversation.updateSession({ audio: { output: { voice: 'Clara' } } })
    await waitFor(() => expect(server.sockets[0]?.messages.length).toBe(2))
    await seen('conversation.item.done')
    server.sockets[0]!.connection.destroy()
    expect(await seen('restored')).toEqual({ type: 'restored', items: 3, isResponseLost: true })
    expect(await seen('reconnecting')).toMatchObject({ error: { code: 'CONNECTION_LOST' } })
    conversation.sendToolResult('a', 'on')
    const socket = server.sockets[1]!
    await waitFor(() => expect(socket.messages.length).toBe(6))
    expect(socket.messages[0]).toEqual({
      type: 'session.update',
      session: {
        type: 'realtime',
        instructions: 'A',
        audio: { input: {}, output: { voice: 'Clara' } },
      },
    })
    expect(itemsSent(socket)).toEqual([
      {
        id: 'u1',
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Turn on the light.' }],
      },
      { id: 'f-a', type: 'function_call', call_id: 'a', name: 'light', arguments: '{}' },
      {
        id: 'i1',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'The light is on.' }],
      },
      { id: expect.any(String), type: 'function_call_output', call_id: 'a', output: 'on' },
    ])
    expect(socket.messages.at(-1)).toMatchObject({ type: 'response.create' })
    expect(socket.url).not.toBe(server.sockets[0]!.url)
  })

  describe.each(['the ids of the client', 'other ids'])('of a service that keeps %s', (ids) => {
    it('may be lost again, and nothing is restored twice', async () => {
      const { onOpen } = remembering()
      let items = 0
      const { server, seen } = await startConversation({
        onOpen,
        onMessage(socket, { type, item }) {
          if (type !== 'conversation.item.create') return
          const id = ids === 'other ids' ? `other-${++items}` : (item as RealtimeItem).id
          for (const event of ['added', 'done']) {
            socket.send({ type: `conversation.item.${event}`, item: { ...(item as object), id } })
          }
          socket.send(created())
        },
      })
      await seen('conversation.item.done')
      for (const count of [1, 2, 3]) {
        server.sockets[count - 1]!.connection.destroy()
        await waitFor(() => expect(server.sockets.length).toBe(count + 1))
        const socket = server.sockets[count]!
        await waitFor(() => expect(itemsSent(socket).length).toBe(3))
        await seen('conversation.item.done')
        expect(itemsSent(socket).map(textSent)).toEqual([
          'Turn on the light.',
          '{}',
          'The light is on.',
        ])
      }
    })
  })

  it('loses neither the result of a tool nor the request for the response', async () => {
    let handshakes = 0
    const { server, conversation, seen } = await startConversation({
      onOpen(socket) {
        handshakes++
        for (const event of [created(), call('a'), done()]) socket.send(event)
      },
      onMessage(socket, { type }) {
        if (type === 'response.create' && handshakes === 1) socket.connection.destroy()
      },
    })
    await seen('response.done')
    conversation.sendToolResult('a', 'on')
    expect(await seen('restored')).toEqual({ type: 'restored', items: 2, isResponseLost: true })
    await waitFor(() => expect(itemsSent(server.sockets[1]!).length).toBe(2))
    expect(itemsSent(server.sockets[1]!).at(-1)).toMatchObject({ call_id: 'a', output: 'on' })
  })

  it('does not restore an item that the service has rejected', async () => {
    let handshakes = 0
    const { server, conversation, seen } = await startConversation({
      onOpen(socket) {
        if (++handshakes === 1) socket.send(created())
      },
      onMessage(socket, { type, event_id }) {
        if (type !== 'conversation.item.create') return
        socket.send({ type: 'error', error: { message: 'too long', event_id } })
      },
    })
    await seen('response.created')
    conversation.sendText('Good morning.')
    await seen('error')
    server.sockets[0]!.connection.destroy()
    expect(await seen('restored')).toMatchObject({ items: 0 })
  })

  it('takes an interruption meanwhile, and restores what the user has heard', async () => {
    let acceptAgain: (() => void) | undefined
    const { server, conversation, seen } = await startConversation({
      onUpgrade(_connection, accept) {
        if (server.sockets.length === 0) accept()
        else acceptAgain = accept
      },
      onOpen(socket) {
        if (server.sockets.length > 1) return
        const events = [
          ...[
            created(),
            item('i1', 'assistant', { type: 'output_audio', transcript: 'The light is on.' }),
          ],
          speech(60_000),
        ]
        for (const event of events) socket.send(event)
      },
    })
    await seen('response.output_audio.delta')
    server.sockets[0]!.connection.destroy()
    await seen('reconnecting')
    conversation.interrupt()
    await seen('interrupted')
    await waitFor(() => expect(acceptAgain).toBeDefined())
    acceptAgain!()
    await seen('restored')
    conversation.sendText('Never mind.')
    await waitFor(() =>
      expect(itemsSent(server.sockets[1]!).at(-1)).toMatchObject({ role: 'user' }),
    )
    expect(sentOf(server.sockets[1]!, 'conversation.item.truncate')).toEqual([])
    expect(itemsSent(server.sockets[1]!).map(textSent)).not.toContain('The light is on.')
  })

  it('is an error if nothing was said over it', async () => {
    const { server, ended } = await startConversation({})
    await waitFor(() => expect(server.sockets.length).toBe(1))
    server.sockets[0]!.connection.destroy()
    expect(await failureOf(ended)).toMatchObject({ code: 'CONNECTION_LOST', retryable: true })
    expect(server.handshakes()).toBe(1)
  })

  it('is an error if the caller wants no other connection', async () => {
    const { server, ended, seen } = await startConversation(remembering(), {}, { reconnect: false })
    await seen('conversation.item.done')
    server.sockets[0]!.connection.destroy()
    expect(await failureOf(ended)).toMatchObject({ code: 'CONNECTION_LOST' })
  })

  it('is an error if the service rejects another connection', async () => {
    let handshakes = 0
    const { server, ended, seen } = await startConversation({
      ...remembering(),
      onUpgrade: (connection, accept) =>
        ++handshakes === 1 ? accept() : connection.end('HTTP/1.1 429 Too Many Requests\r\n\r\n'),
    })
    await seen('conversation.item.done')
    server.sockets[0]!.connection.destroy()
    expect(await failureOf(ended)).toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
  })
})
