import { setTimeout } from 'node:timers/promises'
import { failureOf } from '@parlando/test-support/client-failure'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/socket-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Client, createClient } from '../../client.ts'
import type { ClientOptions } from '../../http/options.ts'
import type { TranscriptionStream } from './transcribe-stream.ts'
import type { TranscriptionEvent } from './transcription-event.ts'

const final = { result: { transcription: { transcript: 'lights on', isFinal: true } } }
const usage = { result: { usage: { transcribedAudioMs: 1000, modelId: 'm' } } }

async function start(handlers: SocketServerHandlers, options: Partial<ClientOptions> = {}) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...options })
  onTestFinished(() => client.close())
  return { server, client }
}

/** A service that responds to `closeStream` with these messages and closes the socket. */
function responding(...responses: unknown[]): SocketServerHandlers {
  return {
    onMessage(socket, message) {
      if (!message['closeStream']) return
      for (const response of responses) socket.send(response)
      socket.webSocket.close(1000)
    },
  }
}

/** A service that sends these messages as soon as the socket is open. */
function sending(...messages: (object | string | Buffer)[]): SocketServerHandlers {
  return {
    onOpen({ webSocket }) {
      for (const message of messages) {
        const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
        webSocket.send(isRaw ? message : JSON.stringify(message))
      }
    },
  }
}

async function collect(stream: TranscriptionStream): Promise<TranscriptionEvent[]> {
  const events: TranscriptionEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** The audio that the service received. */
function receivedAudio({ messages }: ServerSocket): Buffer {
  const contents = messages.map((message) => {
    const { audioChunk } = message as { audioChunk?: { content: string } }
    return Buffer.from(audioChunk?.content ?? '', 'base64')
  })
  return Buffer.concat(contents)
}

const pcm = (sizeBytes: number) =>
  Buffer.from(Array.from({ length: sizeBytes }, (_, index) => index % 251))

describe('transcribeStream', () => {
  it('sends the config first, then audio and the end, in the order of the calls', async () => {
    const { server, client } = await start(responding(final, usage))
    const stream = client.transcribeStream()
    const audio = pcm(1000)
    stream.write(audio)
    stream.endTurn()
    await stream.write(audio)
    stream.end()
    expect(await collect(stream)).toEqual([
      { type: 'final', text: 'lights on' },
      { type: 'usage', transcribedAudioMs: 1000, modelId: 'm' },
    ])
    const content = audio.toString('base64')
    const [socket] = server.sockets
    expect(socket?.url).toBe('/stt/v1/transcribe:streamBidirectional')
    expect(socket?.messages).toEqual([
      {
        transcribeConfig: {
          audioEncoding: 'LINEAR16',
          sampleRateHertz: 16_000,
          numberOfChannels: 1,
        },
      },
      { audioChunk: { content } },
      { endTurn: {} },
      { audioChunk: { content } },
      { closeStream: {} },
    ])
    expect(stream.requestId).toBe(socket?.headers['x-request-id'])
  })

  it('sends all settings', async () => {
    const { server, client } = await start(responding())
    const stream = client.transcribeStream({
      modelId: 'pocketsphinx/en-us',
      language: 'en-US',
      sampleRateHertz: 48_000,
      wordTimestamps: true,
      prompts: ['Zoë'],
      sentences: ['lights on'],
      endOfTurn: { silenceMs: 700, confidentSilenceMs: 200, vadThreshold: 0.4 },
      inactivityTimeoutSeconds: 60,
    })
    stream.end()
    await collect(stream)
    expect(server.sockets[0]?.messages[0]).toEqual({
      transcribeConfig: {
        modelId: 'pocketsphinx/en-us',
        language: 'en-US',
        audioEncoding: 'LINEAR16',
        sampleRateHertz: 48_000,
        numberOfChannels: 1,
        includeWordTimestamps: true,
        prompts: ['Zoë'],
        sentences: ['lights on'],
        maxTurnSilence: 700,
        minEndOfTurnSilenceWhenConfident: 200,
        vadThreshold: 0.4,
        inactivityTimeoutSeconds: 60,
      },
    })
  })

  it('returns every kind of event', async () => {
    const wordTimestamps = [{ word: 'lights', startTimeMs: 120, endTimeMs: 480, confidence: 0.8 }]
    const sentenceMatch = { sentence: 'lights on', nearest: [] }
    const { client } = await start(
      responding(
        { result: { speechStarted: { startTimeMs: 120, confidence: 0.9 } } },
        { result: { transcription: { transcript: 'light', isFinal: false } } },
        {
          result: {
            transcription: {
              transcript: 'lights on',
              isFinal: true,
              confidence: 0.7,
              language: 'en-US',
              wordTimestamps,
              sentenceMatch,
              silenceDurationMs: 500,
            },
            speechStopped: { silenceDurationMs: 500 },
          },
        },
        { result: { speechStarted: {} } },
        { result: { transcription: { isFinal: true } } },
        { result: { moodDetected: { mood: 'calm' } } },
        { keepAlive: {} },
        usage,
      ),
    )
    const stream = client.transcribeStream()
    stream.end()
    expect(await collect(stream)).toEqual([
      { type: 'speechStarted', startMs: 120 },
      { type: 'interim', text: 'light' },
      {
        type: 'final',
        text: 'lights on',
        confidence: 0.7,
        language: 'en-US',
        words: [{ text: 'lights', startSeconds: 0.12, endSeconds: 0.48, confidence: 0.8 }],
        sentenceMatch,
      },
      { type: 'speechStopped', silenceMs: 500 },
      { type: 'speechStarted', startMs: 0 },
      { type: 'final', text: '' },
      { type: 'unknown', result: { moodDetected: { mood: 'calm' } } },
      { type: 'unknown', result: { keepAlive: {} } },
      { type: 'usage', transcribedAudioMs: 1000, modelId: 'm' },
    ])
  })

  it('sends audio in messages of at most 32 KiB, and keeps samples whole', async () => {
    const { server, client } = await start(responding())
    const stream = client.transcribeStream()
    const audio = pcm(100_001)
    const cuts = [0, 1, 2, 2, 1005, 100_000, 100_001]
    for (const [index, end] of cuts.slice(1).entries()) {
      const piece = Uint8Array.from(audio.subarray(cuts[index], end))
      const written = stream.write(piece)
      // The caller may reuse its memory at once.
      piece.fill(0)
      await written
    }
    stream.end()
    await collect(stream)
    const [socket] = server.sockets
    expect(receivedAudio(socket!).equals(audio.subarray(0, 100_000))).toBe(true)
    const sizes = socket!.messages.map((message) => JSON.stringify(message).length)
    expect(Math.max(...sizes)).toBeLessThan(44_000)
  })

  it('can be read once', async () => {
    const { client } = await start(responding())
    const stream = client.transcribeStream()
    stream.end()
    await collect(stream)
    await expect(collect(stream)).rejects.toThrow('can be consumed once')
  })

  it.each([
    ['a misspelt setting', { endOfTurn: { silence: 3 } }, 'did you mean silenceMs?'],
    [
      'a silence',
      { endOfTurn: { silenceMs: 1 } },
      'endOfTurn.silenceMs must be between 20 and 5000',
    ],
    ['a rate', { sampleRateHertz: 1 }, 'sampleRateHertz must be between 8000 and 48000'],
  ])('rejects a config at once: %s', async (_what, config, message) => {
    const { server, client } = await start({})
    expect(() => client.transcribeStream(config as object)).toThrow(message)
    expect(server.handshakes()).toBe(0)
  })

  it('rejects a write that is not bytes, and a write after the end', async () => {
    const { client } = await start(responding())
    const stream = client.transcribeStream()
    await expect(stream.write('audio' as never)).rejects.toThrow('write takes bytes')
    stream.end()
    stream.end()
    stream.endTurn()
    await expect(stream.write(pcm(2))).rejects.toThrow('write was called after end')
    await collect(stream)
    await expect(stream.write(pcm(2))).rejects.toThrow('the stream has ended')
  })
})

describe('the end of a transcription stream', () => {
  it('is normal without a closing handshake once the usage has arrived', async () => {
    const { client } = await start({
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
    const { server, client } = await start(handlers)
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
    const { client } = await start(sending(final, final, { error: { code: 13, message: 'oops' } }))
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
    const { server, client } = await start({
      onOpen: ({ connection }) => connection.destroy(),
    })
    const stream = client.transcribeStream()
    stream.write(pcm(10))
    await vi.waitFor(() => expect(server.handshakes()).toBe(1))
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
    stream.write(pcm(10))
    await expect(stream.write(pcm(10))).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
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
      const { server, client } = await start(handlers)
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
    const { server, client } = await start({})
    const stream = client.transcribeStream({}, { signal: AbortSignal.abort('enough') })
    await expect(collect(stream)).rejects.toBe('enough')
    await expect(stream.write(pcm(2))).rejects.toBe('enough')
    expect(server.handshakes()).toBe(0)
  })

  it.each(stages)(
    'by close ends a pending read and closes the connection: %s',
    async (_stage, handlers) => {
      const { server, client } = await start(handlers)
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
    const { server, client } = await start(sending(final, final))
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
      const { server, client } = await start(handlers)
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

describe('back-pressure of a transcription stream', () => {
  const second = pcm(32_000)

  /** Writes until the promise of a write has been pending for a while. @returns the number of completed writes. */
  async function writeUntilFull(stream: TranscriptionStream): Promise<number> {
    for (let writes = 0; ; writes++) {
      const isFull = await Promise.race([
        stream.write(second).then(() => false),
        setTimeout(200, true),
      ])
      if (isFull) return writes
    }
  }

  it('makes write wait for a service that does not read, and goes on when it does', async () => {
    const { server, client } = await start({ onOpen: ({ webSocket }) => webSocket.pause() })
    const stream = client.transcribeStream()
    const writes = await writeUntilFull(stream)
    expect(writes).toBeGreaterThan(1)
    server.sockets[0]?.webSocket.resume()
    await stream.write(second)
    await stream.close()
  })

  it('rejects writes that are not waited for above 16 MiB', async () => {
    const { client } = await start({ onUpgrade() {} })
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
    const { server, client } = await start({
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
    const { client } = await start(sending(...Array.from({ length: 1000 }, () => final)), {
      silenceTimeoutMs: 200,
    })
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
    const { server, client } = await start(handlers, options)
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
    const { client } = await start(
      { onOpen: (socket) => void setTimeout(1200).then(() => socket.send(final)) },
      { silenceTimeoutMs: 500 },
    )
    for await (const event of client.transcribeStream()) {
      expect(event).toMatchObject({ type: 'final' })
      break
    }
  })

  it('ends it if the service reads nothing while the loop does not read either', async () => {
    const { client } = await start(
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
  const { client } = await start(responding(final), { maxConcurrent: 1 })
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
  const { server, client } = await start(
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
