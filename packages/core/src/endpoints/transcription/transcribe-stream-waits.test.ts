import { setTimeout } from 'node:timers/promises'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import type { SocketServerHandlers } from '@parlando/test-support/servers/socket-server'
import {
  collect,
  final,
  pcm,
  receivedAudio,
  responding,
  sending,
  startTranscription,
} from '@parlando/test-support/servers/transcription-server'
import { describe, expect, it, vi } from 'vitest'
import type { Client } from '../../client.ts'
import type { ClientOptions } from '../../http/client-options.ts'
import type { TranscriptionStream } from './transcribe-stream.ts'

describe('back-pressure of a transcription stream', () => {
  const second = pcm(32_000)

  /** Writes until the promise of a write has been pending for a while, but more than once: a busy machine takes its time, too. */
  async function writeUntilFull(stream: TranscriptionStream): Promise<void> {
    for (let writes = 0; ; writes++) {
      const written = stream.write(second).then(() => false)
      let isFull = true
      do isFull = await Promise.race([written, setTimeout(200, true)])
      while (isFull && writes < 2)
      if (isFull) return
    }
  }

  it('makes write wait for a service that does not read, and goes on when it does', async () => {
    const { server, client } = await startTranscription({
      onOpen: ({ webSocket }) => webSocket.pause(),
    })
    const stream = client.transcribeStream()
    await writeUntilFull(stream)
    server.sockets[0]?.webSocket.resume()
    await stream.write(second)
    await stream.close()
  })

  it('rejects writes that are not waited for above 16 MiB', async () => {
    const { client } = await startTranscription({ onUpgrade() {} })
    const stream = client.transcribeStream()
    const writing = Array.from({ length: 500 }, () => stream.write(second))
    const tooMany = (await Promise.allSettled(writing.slice(400))).at(0)
    expect(tooMany).toMatchObject({
      status: 'rejected',
      reason: { code: 'INVALID_INPUT', message: expect.stringContaining('16777216 bytes') },
    })
    await stream.close()
  })

  it('makes the service wait for a loop that does not read, and loses no event', async () => {
    const count = 10_000
    const padding = 'x'.repeat(1000)
    const { server, client } = await startTranscription({
      onOpen(socket) {
        for (let index = 0; index < count; index++) {
          socket.send({ result: { speechStarted: { startTimeMs: index, padding } } })
        }
        socket.webSocket.close(1000)
      },
    })
    const stream = client.transcribeStream()
    stream.end()
    const events = stream[Symbol.asyncIterator]()
    await events.next()
    await setTimeout(200)
    expect(server.sockets[0]?.webSocket.bufferedAmount).toBeGreaterThan(1_000_000)
    let last = 0
    for (let read = await events.next(); !read.done; read = await events.next()) {
      const { value } = read
      if (value.type !== 'speechStarted' || value.startMs !== last + 1) expect.fail('lost an event')
      last = value.startMs
    }
    expect(last).toBe(count - 1)
  })

  it('does not count against the time limit while the loop does not read', async () => {
    const { client } = await startTranscription(
      sending(...Array.from({ length: 1000 }, () => final)),
      {
        silenceTimeoutMs: 200,
      },
    )
    let events = 0
    for await (const _ of client.transcribeStream()) {
      if (events++ === 0) await setTimeout(600)
      if (events === 1000) break
    }
    expect(events).toBe(1000)
  })
})

describe('a time limit of a transcription stream', () => {
  it.each<[string, SocketServerHandlers, Partial<ClientOptions>, boolean, object]>([
    [
      'the service accepts the connection, but does not open the socket',
      { onUpgrade() {} },
      { connectTimeoutMs: 100 },
      false,
      { phase: 'connect', timeoutMs: 100, retryable: true },
    ],
    [
      'the service responds to no ping',
      { onOpen: ({ webSocket }) => webSocket.pause() },
      { silenceTimeoutMs: 100 },
      false,
      { phase: 'next byte', timeoutMs: 100 },
    ],
    [
      'the service sends nothing after the end',
      {},
      { firstByteTimeoutMs: 400, silenceTimeoutMs: 300 },
      true,
      { phase: 'next byte', timeoutMs: 400 },
    ],
    [
      'the stream takes too long',
      sending(final),
      { timeoutMs: 100 },
      false,
      { phase: 'total', timeoutMs: 100, retryable: false },
    ],
  ])('ends it: %s', async (_what, handlers, options, isEnded, expected) => {
    const { server, client } = await startTranscription(handlers, options)
    const stream = client.transcribeStream()
    if (isEnded) stream.end()
    const startedAt = performance.now()
    const error = await failureOf(collect(stream))
    expect(error).toMatchObject({ name: 'TimeoutError', ...expected })
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    server.sockets[0]?.webSocket.resume()
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('does not end it while the service responds to pings', async () => {
    const { client } = await startTranscription(
      { onOpen: (socket) => void setTimeout(1200).then(() => socket.send(final)) },
      { silenceTimeoutMs: 500 },
    )
    for await (const event of client.transcribeStream()) {
      expect(event).toMatchObject({ type: 'final' })
      break
    }
  })

  it('ends it if the service reads nothing while the loop does not read either', async () => {
    const { client } = await startTranscription(
      {
        onOpen(socket) {
          for (let index = 0; index < 100; index++) socket.send(final)
          socket.webSocket.pause()
        },
      },
      { silenceTimeoutMs: 150 },
    )
    const stream = client.transcribeStream()
    const write = async () => {
      for (;;) await stream.write(pcm(32_000))
    }
    expect(await failureOf(write())).toMatchObject({ code: 'TIMEOUT', phase: 'next byte' })
  })
})

it('a stream counts as a call until it ends', async () => {
  const { client } = await startTranscription(responding(final), { maxConcurrent: 1 })
  const first = client.transcribeStream()
  const second = client.transcribeStream()
  second.end()
  const waiting = collect(second)
  await setTimeout(50)
  first.end()
  expect(await collect(first)).toHaveLength(1)
  expect(await waiting).toHaveLength(1)
})

it('audio that is written during a retry of the handshake is not lost', async () => {
  let handshakes = 0
  const { server, client } = await startTranscription(
    {
      ...responding(final),
      onUpgrade(connection, accept) {
        handshakes += 1
        if (handshakes > 1) return accept()
        connection.end('HTTP/1.1 503 Busy\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n')
      },
    },
    { maxRetries: 1 },
  )
  const stream: ReturnType<Client['transcribeStream']> = client.transcribeStream()
  const audio = pcm(5000)
  await stream.write(audio)
  stream.end()
  expect(await collect(stream)).toHaveLength(1)
  expect(handshakes).toBe(2)
  expect(receivedAudio(server.sockets[0]!).equals(audio)).toBe(true)
})
