import { failureOf } from '@parlando/test-support/client-failure'
import { call, created, startConversation, waitFor } from '@parlando/test-support/realtime-server'
import type { SocketServerHandlers } from '@parlando/test-support/socket-server'
import { describe, expect, it } from 'vitest'

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
