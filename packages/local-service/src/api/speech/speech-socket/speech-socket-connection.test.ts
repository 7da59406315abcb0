import { once } from 'node:events'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import {
  chunksOf,
  close,
  closed,
  connect,
  create,
  path,
  sendText,
  summary,
} from '@parlando/test-support/local-service/clients/speech-contexts'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Engine } from '../../../engines/engine.ts'
import { Scheduler } from '../../../engines/schedule/scheduler.ts'

const testApp = useTestApp()

describe('a connection', () => {
  it.each([
    ['no JSON', 'hello', 1008],
    ['a message without a context', sendText('', 'Hi.').sendText, 1008],
    ['a context id that is not a text', { contextId: 5, flushContext: {} }, 1008],
    ['a list', '[]', 1008],
    ['null', 'null', 1008],
  ])('ends with an error after %s', async (_name, message, code) => {
    const client = await connect(testApp)
    client.send(message)
    expect(await client.closed).toBe(code)
    expect(client.received).toEqual([
      { error: { code: 3, message: expect.any(String), details: [] } },
    ])
  })

  it('is kept open by an empty text without a context', async () => {
    const client = await connect(testApp)
    client.send({ sendText: { text: '' } }, create('a'), close('a'))
    await closed(client, 'a')
    expect(client.received.map((message) => Object.keys(Object(message)))).toEqual([
      ['result'],
      ['result'],
    ])
  })

  it('ends after a message of more than a megabyte and after a binary one', async () => {
    const client = await connect(testApp)
    client.send(sendText('a', 'a'.repeat(1024 * 1024)))
    expect(await client.closed).toBe(1009)
    const other = await connect(testApp)
    other.webSocket.send(Buffer.from('{}'), { binary: true })
    expect(await other.closed).toBe(1008)
  })

  it('stops the work of a client that leaves', async () => {
    const { engine } = testApp.flite
    let phrases = 0
    const counting: Engine = {
      ...engine,
      async speakPhrase(phrase) {
        phrases += 1
        await engine.speakPhrase(phrase)
      },
    }
    const scheduler = new Scheduler(1)
    const { fetch } = createTestApp({ engine: counting, scheduler }, () => {})
    const client = await connect(testApp, { fetch })
    client.send(create('a', { autoMode: true }))
    for (let index = 0; index < 100; index++) client.send(sendText('a', 'It is a fine day.'))
    await vi.waitFor(() => expect(chunksOf(client, 'a').length).toBeGreaterThan(3), 20_000)
    client.webSocket.terminate()
    await vi.waitFor(() => expect(scheduler.running + scheduler.waiting).toBe(0), 20_000)
    expect(phrases).toBeLessThan(100)
  })

  it('speaks what a stopping service has received, and then closes', async () => {
    const server = await openTestServer({ fetch: testApp.app.fetch })
    const client = await connectSocket(server.baseUrl, path)
    client.send(create('a'), sendText('a', 'Good day.'))
    await vi.waitFor(() => expect(summary(client, 'a')).toEqual(['contextCreated']))
    await server.drain(20_000)
    expect(await client.closed).toBe(1001)
    expect(summary(client, 'a').at(-1)).toBe('contextClosed')
    expect(summary(client, 'a')).toContain('audioChunk')
  })

  it.each([
    { where: 'in many messages', texts: Array<string>(60).fill('It is a fine day. ') },
    { where: 'in one message', texts: ['It is a fine day. '.repeat(60)] },
  ])(
    'speaks only what a client reads, and the rest when it reads again: $where',
    async ({ texts }) => {
      const { engine, scheduler } = createFakeEngine()
      let phrases = 0
      const counting: Engine = {
        ...engine,
        async speakPhrase({ onSound }) {
          phrases += 1
          onSound({ samples: new Float32Array(10 * engine.sampleRateHertz).fill(0.1), words: [] })
        },
      }
      const { fetch } = createTestApp({ engine: counting, scheduler }, () => {})
      const client = await connect(testApp, { fetch })
      client.send(create('a', { autoMode: true }))
      await vi.waitFor(() => expect(summary(client, 'a')).toHaveLength(1))
      client.webSocket.pause()
      // 50 MB of audio, of which the system takes up to 15.
      for (const text of texts) client.send(sendText('a', text))
      client.send(close('a'))
      let before = -1
      while (phrases === 0 || before < phrases) {
        before = phrases
        await delay(500)
      }
      client.webSocket.resume()
      await closed(client, 'a')
      expect(phrases).toBeGreaterThanOrEqual(60)
      expect(before).toBeLessThan(phrases / 2)
    },
  )

  it('at any of its results leaves nothing open when it is cut', async () => {
    const running = createFakeEngine()
    const failures: unknown[] = []
    const { fetch } = createTestApp(running, (error) => failures.push(error))
    const { baseUrl } = await openTestServer({ fetch })
    /** Speaks with two contexts, and cuts the connection at a result or at the end. @returns the results so far. */
    const speak = async (maxResults: number): Promise<number> => {
      const client = await connectSocket(baseUrl, path)
      const { webSocket, received } = client
      for (const id of ['a', 'b']) client.send(create(id), sendText(id, 'Hi.'), close(id))
      const isDone = () => summary(client, 'a').concat(summary(client, 'b')).length === 8
      while (received.length < maxResults && !isDone()) await once(webSocket, 'message')
      webSocket.terminate()
      return received.length
    }
    const count = await speak(Number.POSITIVE_INFINITY)
    expect(count).toBeGreaterThanOrEqual(8)
    for (let results = 1; results < count; results++) await speak(results)
    const { scheduler } = running
    await expect.poll(() => scheduler.running + scheduler.waiting, { timeout: 30_000 }).toBe(0)
    expect(failures).toEqual([])
  })

  it('stays open with an empty text every ten minutes, and otherwise speaks what waits and ends', async () => {
    const client = await connect(testApp)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    /** The service waits for a message: the silence has begun. */
    const listening = async () => {
      while (vi.getTimerCount() === 0) await setImmediate()
    }
    client.send(create('a'), sendText('a', 'Good day.'))
    while (summary(client, 'a').length === 0) await once(client.webSocket, 'message')
    for (const minutes of [9, 9, 9]) {
      await listening()
      vi.advanceTimersByTime(minutes * 60_000)
      client.send(sendText('a', ''))
      client.webSocket.ping()
      await once(client.webSocket, 'pong')
    }
    await listening()
    vi.advanceTimersByTime(10 * 60_000)
    vi.useRealTimers()
    expect(await client.closed).toBe(1008)
    expect(summary(client, 'a')).toEqual([
      'contextCreated',
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
    expect(client.received.at(-1)).toMatchObject({
      error: { code: 4, message: 'The client sent no message for 600 s' },
    })
  })

  it('is one of a hundred, which stay open while nine hundred others are rejected', async () => {
    // A connection that is silent for ten seconds makes room for a new one, and a busy machine needs longer for a thousand.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch })
    const first = await connectSocket(baseUrl, path)
    const open: WebSocket[] = []
    const rejections: unknown[] = []
    onTestFinished(() => {
      for (const webSocket of open) webSocket.terminate()
    })
    const knock = () =>
      new Promise<void>((resolve) => {
        const webSocket = new WebSocket(baseUrl.replace('http', 'ws') + path)
        webSocket.on('error', () => {})
        webSocket.once('open', () => resolve(void open.push(webSocket)))
        webSocket.once('unexpected-response', (_request, response) => {
          rejections.push(response.statusCode)
          webSocket.terminate()
          resolve()
        })
      })
    for (let batch = 0; batch < 20; batch++) await Promise.all(Array.from({ length: 50 }, knock))
    expect(open).toHaveLength(99)
    expect(rejections).toEqual(new Array(901).fill(429))
    first.send(create('a'), close('a'))
    await closed(first, 'a')
    expect(open.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true)
  })
})
