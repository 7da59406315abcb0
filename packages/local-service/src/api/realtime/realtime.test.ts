import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { RealtimeServerEvent } from '@parlando/core/wire'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import {
  connectSocket,
  type SocketClient,
  type SocketClientOptions,
} from '@parlando/test-support/local-service/clients/socket-client'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { maxSessions, sessionLimit } from '../../conversation/session-connection.ts'
import type { AppOptions } from '../app/app.ts'

const testApp = useTestApp()
const path = '/v1/realtime?model=gpt-realtime'
/** A limit for a busy machine. */
const patient = { timeout: 30_000 }

async function connect(
  options: Partial<AppOptions> = {},
  client: SocketClientOptions = {},
  at = path,
): Promise<SocketClient> {
  const recognisers = new Map([['fake', createFakeRecogniser()]])
  const failures: unknown[] = []
  const served = createTestApp(testApp.flite, (error) => failures.push(error), undefined, {
    recognisers,
    ...options,
  })
  const { baseUrl } = await openTestServer({ fetch: served.fetch })
  return connectSocket(baseUrl, at, client)
}

/** Waits for an event. */
async function next({ webSocket, received }: SocketClient, type: string) {
  const events = received as RealtimeServerEvent[]
  for (;;) {
    const event = events.find((one) => one.type === type)
    if (event) return event as unknown as Record<string, unknown>
    await once(webSocket, 'message')
  }
}

/** Sends a voice and the silence that ends the turn. */
function sayTurn(client: SocketClient): void {
  const sound = [voicedSound({ seconds: 0.6, sampleRateHertz: 24_000 }), new Int16Array(18_000)]
  for (const samples of sound) {
    const audio = Buffer.from(samples.buffer).toString('base64')
    client.send({ type: 'input_audio_buffer.append', audio })
  }
}

const text = (words: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] },
})

describe('a realtime socket', () => {
  it('responds to speech with speech', async () => {
    const client = await connect()
    client.send({ type: 'session.update', session: { max_output_tokens: 2 } })
    sayTurn(client)
    const { response } = await next(client, 'response.done')
    expect(response).toMatchObject({
      status: 'incomplete',
      output: [{ content: [{ type: 'output_audio', transcript: 'This is' }] }],
    })
    const { delta } = await next(client, 'response.output_audio.delta')
    expect(Buffer.from(delta as string, 'base64').length).toBeGreaterThan(2000)
    const ids = (client.received as { event_id: string }[]).map(({ event_id: id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(['audio/pcmu', 'audio/pcma'])('speaks %s', async (type) => {
    const client = await connect()
    const audio = { output: { format: { type }, voice: 'alloy' } }
    client.send({ type: 'session.update', session: { audio, max_output_tokens: 1 } })
    client.send(text('Hi'), { type: 'response.create' })
    const { session } = await next(client, 'session.updated')
    expect(session).toMatchObject({ audio: { output: { format: { type, rate: 8000 } } } })
    const { delta } = await next(client, 'response.output_audio.delta')
    // 100 ms, one byte for each sample.
    expect(Buffer.from(delta as string, 'base64').length).toBeLessThan(1000)
  })

  it.each([
    ['a voice of the language', {}, 'Angus'],
    ['a voice of the language instead of one of OpenAI', { voice: 'alloy' }, 'Angus'],
    ['the voice that the client chooses', { voice: 'Kit' }, 'Kit'],
  ])('speaks with %s', async (_what, output, voice) => {
    const client = await connect()
    client.send({ type: 'session.update', session: { audio: { output } } })
    const input = { transcription: { language: 'en-GB' } }
    client.send({ type: 'session.update', session: { audio: { input }, max_output_tokens: 1 } })
    client.send(text('Hi'), { type: 'response.create' })
    const { response } = await next(client, 'response.done')
    expect(response).toMatchObject({ audio: { output: { voice } } })
  })

  it.each([{}, { language: 'de' }, { model: 'whisper-1' }])(
    'needs no recogniser for texts, also with the transcription %j',
    async (transcription) => {
      const client = await connect({ recognisers: new Map() })
      const audio = { input: { transcription } }
      client.send({ type: 'session.update', session: { audio, max_output_tokens: 1 } })
      client.send(text('Hi'), { type: 'response.create' })
      const { response } = await next(client, 'response.done')
      expect(response).toMatchObject({ output: [{ type: 'message' }] })
      expect(client.received).not.toContainEqual(expect.objectContaining({ type: 'error' }))
    },
  )

  it('calls a tool when the user says its name to the echo', async () => {
    const client = await connect()
    const states = { type: 'string', enum: ['off', 'on'] }
    const parameters = { type: 'object', properties: { state: states } }
    const tools = [{ type: 'function', name: 'switch_light', parameters, strict: true }]
    client.send({ type: 'session.update', session: { tools } })
    client.send(text('Switch the light on, please!'), { type: 'response.create' })
    expect(await next(client, 'response.function_call_arguments.done')).toMatchObject({
      name: 'switch_light',
      arguments: '{"state":"on"}',
    })
  })

  it('reports each event that it rejects, names it, and continues', async () => {
    const client = await connect()
    client.send('{', { type: 'nonsense', event_id: 'mine' })
    client.send({ type: 'input_audio_buffer.append', audio: 'ä' })
    client.send({ type: 'session.update', session: { audio: { output: { voice: 'Nobody' } } } })
    const input = { transcription: { model: 'deaf' } }
    client.send({ type: 'session.update', session: { audio: { input } } })
    client.send({ type: 'session.update', session: { instructions: 'x' } })
    await next(client, 'session.updated')
    const errors = (client.received as { type: string; error?: unknown }[]).filter(
      ({ type }) => type === 'error',
    )
    expect(errors).toMatchObject([
      { error: { message: 'The event is not JSON', event_id: null } },
      { error: { code: 'invalid_argument', event_id: 'mine' } },
      { error: { code: 'invalid_value', param: 'audio' } },
      { error: { code: 'not_found', message: expect.stringContaining('Nobody') } },
      { error: { code: 'not_found', message: expect.stringContaining('deaf') } },
    ])
  })

  it('reports once that no recogniser is installed', async () => {
    const client = await connect({ recognisers: new Map() })
    for (const _ of [1, 2, 3]) client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    client.send({ type: 'session.update', session: {} })
    await next(client, 'session.updated')
    const errors = (client.received as { type: string }[]).filter(({ type }) => type === 'error')
    expect(errors).toMatchObject([
      { error: { message: expect.stringContaining('sudo apt install pocketsphinx') } },
    ])
  })

  it.each([
    ['Authorization: Bearer', { headers: { authorization: 'Bearer local' } }],
    ['a subprotocol', { protocols: ['realtime', 'openai-insecure-api-key.local'] }],
  ])('takes the key as %s', async (_name, client) => {
    const { webSocket } = await connect({ apiKey: 'local' }, client)
    expect(webSocket.protocol).toBe('protocols' in client ? 'realtime' : '')
    await expect(connect({ apiKey: 'local' })).rejects.toThrow('401')
  })

  it('has the path of the hosted service', async () => {
    const client = await connect({}, {}, '/api/v1/realtime/session?key=any&protocol=realtime')
    expect(await next(client, 'session.created')).toMatchObject({ session: { model: 'auto' } })
    await expect(connect({}, {}, '/api/v1/realtime/session?key=any')).rejects.toThrow('protocol')
  })

  it('only transcribes if the client intends that', async () => {
    const client = await connect({}, {}, '/v1/realtime?intent=transcription&model=fake/model')
    expect(await next(client, 'session.created')).toMatchObject({
      session: {
        type: 'transcription',
        audio: { input: { transcription: { model: 'fake/model' } } },
      },
    })
    sayTurn(client)
    await next(client, 'conversation.item.input_audio_transcription.completed')
    const at = '/v1/realtime?intent=transcription&model=unknown'
    expect(await next(await connect({}, {}, at), 'error')).toMatchObject({
      error: { message: expect.stringContaining('Unknown recogniser model') },
    })
  })

  it('rejects an unknown model with the reason', async () => {
    const client = await connect({}, {}, '/v1/realtime?model=unknown')
    expect(await next(client, 'error')).toMatchObject({ error: { code: 'not_found' } })
    expect(await client.closed).toBe(1008)
  })
})

describe('a client that does not read', () => {
  it('has to wait, so that its responses do not fill the memory', async () => {
    let maxBytes = 0
    const client = await connect()
    const send = vi.spyOn(WebSocket.prototype, 'send')
    onTestFinished(() => send.mockRestore())
    const isOfService = (webSocket: unknown): webSocket is WebSocket =>
      webSocket !== client.webSocket
    const measure = () => {
      for (const webSocket of new Set(send.mock.contexts.filter(isOfService))) {
        maxBytes = Math.max(maxBytes, webSocket.bufferedAmount)
      }
      send.mockClear()
    }
    client.webSocket.pause()
    const long = 'on and on '.repeat(20_000)
    const items = 40
    for (let index = 0; index < items; index++) {
      client.send(text(long))
      await setImmediate()
      measure()
    }
    const measured = () => {
      measure()
      return maxBytes
    }
    await expect.poll(measured, patient).toBeGreaterThan(0)
    client.webSocket.resume()
    const isDone = (event: unknown) =>
      (event as RealtimeServerEvent).type === 'conversation.item.done'
    while (client.received.filter(isDone).length < items) {
      await once(client.webSocket, 'message')
      measure()
    }
    expect(maxBytes).toBeLessThan(3 * 1024 * 1024)
  })
})

describe('the limit of sessions', () => {
  it.each([
    [1, 5],
    [2, 10],
    [4, 20],
    [64, 20],
  ])('on %d cores is %d', (cores, sessions) => {
    expect(sessionLimit(cores)).toBe(sessions)
  })

  it('rejects a handshake above it, and counts only open sessions', async () => {
    const served = createTestApp(testApp.flite, () => {})
    const { baseUrl } = await openTestServer({ fetch: served.fetch })
    const clients = await Promise.all(
      Array.from({ length: maxSessions }, () => connectSocket(baseUrl, path)),
    )
    await expect(connectSocket(baseUrl, path)).rejects.toThrow(
      `at most ${maxSessions} conversations at the same time on this device (five per core, up to 20)`,
    )
    clients[0]!.webSocket.close()
    await clients[0]!.closed
    const one = await connectSocket(baseUrl, path)
    await next(one, 'session.created')
  })
})

describe('a silent session', () => {
  it('makes room for another one above the limit', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const served = createTestApp(testApp.flite, () => {})
    const { baseUrl } = await openTestServer({ fetch: served.fetch })
    const clients = await Promise.all(
      Array.from({ length: maxSessions }, () => connectSocket(baseUrl, path)),
    )
    await Promise.all(clients.map((client) => next(client, 'session.created')))
    vi.advanceTimersByTime(10_000)
    const one = await connectSocket(baseUrl, path)
    await next(one, 'session.created')
    const code = await Promise.race(clients.map(({ closed }) => closed))
    expect(code).toBe(1008)
  })
})

describe('a connection that breaks', () => {
  it('at any of its events leaves nothing open', async () => {
    const recogniser = createFakeRecogniser()
    const running = createFakeEngine()
    const failures: unknown[] = []
    const served = createTestApp(running, (error) => failures.push(error), undefined, {
      recognisers: new Map([['fake', recogniser]]),
    })
    const { baseUrl } = await openTestServer({ fetch: served.fetch })
    /** Speaks one turn, and cuts the connection at an event or at the end of the response. @returns the events so far. */
    const converse = async (maxEvents: number): Promise<number> => {
      const client = await connectSocket(baseUrl, path)
      const { webSocket, received } = client
      const transcription = { audio: { input: { transcription: {} } }, max_output_tokens: 2 }
      client.send({ type: 'session.update', session: transcription })
      sayTurn(client)
      const isDone = () => (received.at(-1) as RealtimeServerEvent)?.type === 'response.done'
      while (received.length < maxEvents && !isDone()) await once(webSocket, 'message')
      webSocket.terminate()
      return received.length
    }
    const count = await converse(Number.POSITIVE_INFINITY)
    expect(count).toBeGreaterThan(20)
    for (let events = 1; events < count; events++) await converse(events)
    await expect.poll(() => recogniser.running, patient).toBe(0)
    const { scheduler } = running
    await expect.poll(() => scheduler.running + scheduler.waiting, patient).toBe(0)
    // Each place is free again.
    await expect
      .poll(async () => {
        const clients = await Promise.all(
          Array.from({ length: maxSessions }, () =>
            connectSocket(baseUrl, path).catch(() => undefined),
          ),
        )
        for (const one of clients) one?.webSocket.terminate()
        return clients.filter(Boolean).length
      }, patient)
      .toBe(maxSessions)
    expect(failures).toEqual([])
  })

  it('because the client says nothing for ten minutes ends with an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const client = await connect()
    client.send({ type: 'session.update', session: {} })
    await next(client, 'session.updated')
    // The service waits for the next event: the silence has begun.
    while (vi.getTimerCount() === 0) await setImmediate()
    vi.advanceTimersByTime(600_000)
    expect(await client.closed).toBe(1008)
    expect(client.received.at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'deadline_exceeded', message: 'The client sent no message for 600 s' },
    })
  })

  it.each([
    ['a message above the limit of size', '{'.repeat(1024 * 1024 + 1), 1009],
    ['a binary message', Buffer.from('{}'), 1008],
  ])('because of %s ends with a code', async (_name, message, code) => {
    const client = await connect()
    client.webSocket.send(message)
    expect(await client.closed).toBe(code)
  })

  it('because the service stops ends a session in the middle of a response', async () => {
    const served = createTestApp(testApp.flite, () => {})
    const server = await openTestServer({ fetch: served.fetch })
    const client = await connectSocket(server.baseUrl, path)
    client.send(text('Hi'), { type: 'response.create' })
    await next(client, 'response.output_audio.delta')
    await server.drain(5000)
    expect(await client.closed).toBe(1001)
    expect(client.received.at(-1)).toMatchObject({
      type: 'response.done',
      response: { status: 'cancelled' },
    })
  })
})
