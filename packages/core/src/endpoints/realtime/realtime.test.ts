import { failureOf } from '@parlando/test-support/servers/client-failure'
import {
  call,
  created,
  done,
  responding,
  sentOf,
  sentTypes,
  speech,
  speechStarted,
  startConversation,
  waitFor,
  words,
} from '@parlando/test-support/servers/realtime-server'
import { describe, expect, it, vi } from 'vitest'
import { InputError } from '../../errors.ts'
import type { RealtimeSession } from '../../wire/realtime-session.ts'

const inputFormat = (name: 'pcm' | 'pcmu' | 'pcma') =>
  ({
    type: 'realtime',
    audio: { input: { format: { type: `audio/${name}` } } },
  }) as RealtimeSession & { type: 'realtime' }

describe('realtime', () => {
  it('sends the settings, then audio and text, in the order of the calls', async () => {
    const { server, conversation, seen } = await startConversation(responding(speechStarted), {
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
        event_id: expect.stringMatching(/^item_\w{20}$/),
        item: {
          id: expect.stringMatching(/^item_\w{20}$/),
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Good morning.' }],
        },
      },
      { type: 'response.create', event_id: expect.stringMatching(/^event_\w{20}$/) },
    ])
    expect(conversation.requestId).toBe(socket!.headers['x-request-id'])
  })

  it('sends whole samples of the input format that was set last', async () => {
    const { server, conversation } = await startConversation(responding(), inputFormat('pcmu'))
    const sentAudio = () =>
      sentOf(server.sockets[0]!, 'input_audio_buffer.append').map((event) =>
        Array.from(Buffer.from((event as { audio: string }).audio, 'base64')),
      )
    conversation.sendAudio(Buffer.from([1]))
    conversation.updateSession(inputFormat('pcm'))
    conversation.sendAudio(Buffer.from([2, 3, 4]))
    conversation.send({ type: 'session.update', session: inputFormat('pcma') })
    conversation.sendAudio(Buffer.from([5]))
    await waitFor(() => expect(sentAudio()).toEqual([[1], [2, 3], [5]]))
  })

  it('passes on events, decodes audio, and keeps unknown events', async () => {
    const unknown = { type: 'ping', timestamp: 1 }
    const { events, seen } = await startConversation(
      responding(created(), speech(1), unknown, done()),
    )
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
    const { ended, conversation } = await startConversation({
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
    const { ended } = await startConversation({
      onOpen: ({ webSocket }) => webSocket.send(message),
    })
    expect(await failureOf(ended)).toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringMatching(problem),
    })
  })

  it('ends when nobody says anything', async () => {
    const { ended, server } = await startConversation(responding(), {}, { idleTimeoutMs: 50 })
    expect(await failureOf(ended)).toMatchObject({ code: 'TIMEOUT', timeoutMs: 50 })
    await waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const { ended, server } = await startConversation(
      responding(),
      {},
      { signal: controller.signal },
    )
    await waitFor(() => expect(server.sockets.length).toBe(1))
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(ended).rejects.toBe(reason)
    await waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('reads the error of an event', async () => {
    const error = { type: 'timeout', code: 'deadline_exceeded', message: 'Too slow' }
    const { conversation, seen } = await startConversation(responding({ type: 'error', error }))
    expect(() => conversation.errorOf(error)).toThrow(InputError)
    conversation.sendText('Hello')
    await seen('error')
    expect(conversation.errorOf(error)).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      status: 504,
      retryable: true,
      message: 'Conversation rejected (504 DEADLINE_EXCEEDED): Too slow',
    })
  })

  it('rejects settings and events that are not valid', async () => {
    const { conversation } = await startConversation(responding())
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
    const { server, conversation, seen } = await startConversation(responding(created()))
    await seen('response.created')
    conversation.respond()
    conversation.respond({ instructions: 'Say goodbye.' })
    const socket = server.sockets[0]!
    await waitFor(() => expect(sentTypes(socket)).toEqual(['session.update']))
    socket.send(done())
    await waitFor(() =>
      expect(sentOf(socket, 'response.create')).toMatchObject([
        { response: { instructions: 'Say goodbye.' } },
      ]),
    )
  })

  it('is requested after the service has rejected the request before it', async () => {
    let requests = 0
    const { server, conversation, seen } = await startConversation({
      onOpen: (socket) => socket.send(created('r0')),
      onMessage(socket, { type }) {
        if (type !== 'response.create') return
        requests += 1
        // Another event, which failed meanwhile, says nothing about the request.
        if (requests === 1) socket.send({ type: 'error', error: { event_id: 'item_1' } })
        else socket.send(created())
      },
    })
    await seen('response.created')
    const socket = server.sockets[0]!
    socket.send(done('r0'))
    await seen('response.done')
    conversation.respond({ instructions: 'Greet.' })
    conversation.respond({ instructions: 'Say goodbye.' })
    await seen('error')
    expect(requests).toBe(1)
    const [{ event_id }] = sentOf(socket, 'response.create') as [{ event_id: string }]
    socket.send({ type: 'error', error: { message: 'no', event_id } })
    await waitFor(() =>
      expect(sentOf(socket, 'response.create').slice(1)).toMatchObject([
        { response: { instructions: 'Say goodbye.' } },
      ]),
    )
  })

  it('continues when every tool call has its result', async () => {
    const { server, conversation, seen } = await startConversation(
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
    const { server, conversation, seen, events } = await startConversation(
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
    const { server, conversation, seen } = await startConversation(
      responding(created(), speech(60_000)),
    )
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
    const { seen, events } = await startConversation(
      responding(created(), speech(60_000), speechStarted, done()),
      { audio: { input: { turn_detection } } },
    )
    await seen('response.done')
    expect(events.map(({ type }) => type)).not.toContain('interrupted')
  })
})
