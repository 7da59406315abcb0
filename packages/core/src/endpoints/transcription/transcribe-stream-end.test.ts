import { setTimeout } from 'node:timers/promises'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import type { SocketServerHandlers } from '@parlando/test-support/servers/socket-server'
import {
  collect,
  final,
  pcm,
  sending,
  startTranscription,
  usage,
} from '@parlando/test-support/servers/transcription-server'
import { describe, expect, it, vi } from 'vitest'
import type { TranscriptionEvent } from './transcription-event.ts'

describe('the end of a transcription stream', () => {
  it('is normal without a closing handshake once the usage has arrived', async () => {
    const { client } = await startTranscription({
      onMessage(socket, message) {
        if (!message['closeStream']) return
        socket.send(usage)
        setTimeout(20).then(() => socket.connection.destroy())
      },
    })
    const stream = client.transcribeStream()
    stream.end()
    expect(await collect(stream)).toMatchObject([{ type: 'usage' }])
  })

  it.each<[string, SocketServerHandlers, object]>([
    [
      'the service closes the socket early',
      { onOpen: ({ webSocket }) => webSocket.close(1000) },
      { code: 'CONNECTION_LOST', message: /the service closed the connection \(1000\)$/ },
    ],
    [
      'the service is overloaded',
      { onOpen: ({ webSocket }) => webSocket.close(1013, 'try later') },
      { code: 'CONNECTION_LOST', message: /\(1013: try later\)$/, retryable: true },
    ],
    [
      'the service closes with an error',
      { onOpen: ({ webSocket }) => webSocket.close(1008, 'no') },
      { code: 'CONNECTION_LOST', message: /\(1008: no\)$/, retryable: false },
    ],
    [
      'the connection is cut',
      { onOpen: ({ connection }) => connection.destroy() },
      { code: 'CONNECTION_LOST', message: /the connection to .* was lost$/, retryable: true },
    ],
    [
      'the service reports an error',
      sending({ error: { code: 3, message: 'unknown model' } }),
      { code: 'INVALID_ARGUMENT', status: 400, message: /: unknown model$/ },
    ],
    [
      'the service reports an error by name',
      sending({ error: { code: 'unavailable', message: 'no slot' } }),
      { code: 'UNAVAILABLE', retryable: true },
    ],
    ['a message is not JSON', sending('hello'), { code: 'BAD_RESPONSE', message: /is not JSON$/ }],
    [
      'a message is not an object',
      sending('7'),
      { code: 'BAD_RESPONSE', message: /does not match the expected format$/ },
    ],
    [
      'a transcript is not text',
      sending({ result: { transcription: { transcript: 7 } } }),
      { code: 'BAD_RESPONSE' },
    ],
    [
      'a message is binary',
      sending(Buffer.from('{}')),
      { code: 'BAD_RESPONSE', message: /the service sent a binary message$/ },
    ],
  ])('is an error for reader and writer: %s', async (_what, handlers, expected) => {
    const { server, client } = await startTranscription(handlers)
    const stream = client.transcribeStream()
    const error = await failureOf(collect(stream))
    const { message = /./, ...facts } = expected as { message?: RegExp }
    expect(error).toMatchObject(facts)
    expect(error.message).toMatch(message)
    expect(error.requestId).toBe(server.sockets[0]?.headers['x-request-id'])
    await expect(stream.write(pcm(2))).rejects.toBe(error)
    await stream.close()
    await stream.close()
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('comes after the events before it', async () => {
    const { client } = await startTranscription(
      sending(final, final, { error: { code: 13, message: 'oops' } }),
    )
    const events: TranscriptionEvent[] = []
    const read = async () => {
      for await (const event of client.transcribeStream()) {
        events.push(event)
        await setTimeout(20)
      }
    }
    expect(await failureOf(read())).toMatchObject({ code: 'INTERNAL' })
    expect(events).toHaveLength(2)
  })

  it('needs no reader', async () => {
    const { server, client } = await startTranscription({
      onOpen: ({ connection }) => connection.destroy(),
    })
    const stream = client.transcribeStream()
    stream.write(pcm(10))
    await vi.waitFor(() => expect(server.handshakes()).toBe(1))
    // The client learns later than the server that the connection has ended.
    await vi.waitFor(() =>
      expect(stream.write(pcm(10))).rejects.toMatchObject({ code: 'CONNECTION_LOST' }),
    )
  })
})

describe('leaving a transcription stream', () => {
  const stages: [string, SocketServerHandlers][] = [
    ['during the handshake', { onUpgrade() {} }],
    ['while the service is silent', {}],
    ['while events arrive', sending(...Array.from({ length: 100 }, () => final))],
  ]

  it.each(stages)(
    'by a signal throws its reason and closes the connection: %s',
    async (_stage, handlers) => {
      const { server, client } = await startTranscription(handlers)
      const aborting = new AbortController()
      const stream = client.transcribeStream({}, { signal: aborting.signal })
      const reading = collect(stream)
      await vi.waitFor(() => expect(server.handshakes()).toBe(1))
      await setTimeout(20)
      aborting.abort('enough')
      await expect(reading).rejects.toBe('enough')
      await expect(stream.write(pcm(2))).rejects.toBe('enough')
      await vi.waitFor(() => expect(server.openConnections()).toBe(0))
    },
  )

  it('by a signal that is aborted already connects nothing', async () => {
    const { server, client } = await startTranscription({})
    const stream = client.transcribeStream({}, { signal: AbortSignal.abort('enough') })
    await expect(collect(stream)).rejects.toBe('enough')
    await expect(stream.write(pcm(2))).rejects.toBe('enough')
    expect(server.handshakes()).toBe(0)
  })

  it.each(stages)(
    'by close ends a pending read and closes the connection: %s',
    async (_stage, handlers) => {
      const { server, client } = await startTranscription(handlers)
      await using stream = client.transcribeStream()
      const events = stream[Symbol.asyncIterator]()
      const ending = (async () => {
        while (!(await events.next()).done);
      })()
      await vi.waitFor(() => expect(server.handshakes()).toBe(1))
      await setTimeout(20)
      await stream.close()
      await stream.close()
      await ending
      await expect(stream.write(pcm(2))).rejects.toThrow('the stream has ended')
      await vi.waitFor(() => expect(server.openConnections()).toBe(0))
    },
  )

  it('by leaving the loop closes the connection with a closing handshake', async () => {
    const { server, client } = await startTranscription(sending(final, final))
    const closed = vi.fn()
    for await (const _ of client.transcribeStream()) {
      server.sockets[0]?.webSocket.on('close', closed)
      break
    }
    await vi.waitFor(() => expect(closed).toHaveBeenCalledWith(1000, expect.anything()))
  })

  it.each(stages)(
    'by closing the client throws and closes the connection: %s',
    async (_stage, handlers) => {
      const { server, client } = await startTranscription(handlers)
      const reading = failureOf(collect(client.transcribeStream()))
      await vi.waitFor(() => expect(server.handshakes()).toBe(1))
      await setTimeout(20)
      await client.close()
      const error = await reading
      expect(error).toMatchObject({ code: 'NOT_REACHABLE', retryable: false })
      expect(error.message).toContain('the client is closed')
      await vi.waitFor(() => expect(server.openConnections()).toBe(0))
    },
  )
})
