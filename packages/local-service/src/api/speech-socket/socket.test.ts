import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { readWavHeader } from '@parlando/core/audio'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import {
  connectSocket,
  type SocketClient,
} from '@parlando/test-support/local-service/socket-client'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { EngineError } from '../../engine-error.ts'
import type { Engine } from '../../engines/engine.ts'
import { createScheduler } from '../../engines/scheduler.ts'
import type { ServerOptions } from '../../http/server.ts'

const path = '/tts/v1/voice:streamBidirectional'
const testApp = useTestApp()
const pcm = { audioEncoding: 'PCM', sampleRateHertz: 16_000 }
const settings = { voiceId: 'Clara', modelId: 'svc-tts-2-flash', audioConfig: pcm }
const ok = { code: 0, message: '', details: [] }

const create = (contextId: string, more: object = {}) => ({
  create: { ...settings, ...more },
  contextId,
})
const sendText = (contextId: string, text: string, more: object = {}) => ({
  sendText: { text, ...more },
  contextId,
})
const flush = (contextId: string) => ({ flushContext: {}, contextId })
const close = (contextId: string) => ({ closeContext: {}, contextId })

async function connect(options: Partial<ServerOptions> = {}): Promise<SocketClient> {
  const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch, ...options })
  return connectSocket(baseUrl, path)
}

interface Result {
  contextId: string
  contextCreated?: object
  audioChunk?: {
    audioContent: string
    usage: { processedCharactersCount: number }
    timestampInfo?: {
      wordAlignment: { words: string[]; wordStartTimeSeconds: number[] }
    }
  }
  flushCompleted?: object
  contextClosed?: object
  status: { code: number; message: string }
}

function resultsOf({ received }: SocketClient, contextId?: string): Result[] {
  const results = received.flatMap((message) => (message as { result?: Result }).result ?? [])
  return results.filter((result) => contextId === undefined || result.contextId === contextId)
}

/** The names of the results of a context in order, with consecutive chunks of audio as one, and the code of an error. */
function summary(client: SocketClient, contextId: string): (string | number)[] {
  const names = resultsOf(client, contextId).map(({ contextId: _id, status, ...result }) =>
    status.code === 0 ? Object.keys(result).join() : status.code,
  )
  return names.filter((name, index) => name !== 'audioChunk' || names[index - 1] !== name)
}

const chunksOf = (client: SocketClient, contextId: string) =>
  resultsOf(client, contextId).flatMap(({ audioChunk }) => audioChunk ?? [])

async function closed(client: SocketClient, ...contextIds: string[]): Promise<void> {
  await vi.waitFor(
    () => {
      for (const id of contextIds) expect(summary(client, id).at(-1)).toBe('contextClosed')
    },
    { timeout: 20_000 },
  )
}

describe('a context', () => {
  it('speaks its text when it is flushed and when it is closed, and counts the characters', async () => {
    const client = await connect()
    client.send(create('a'), sendText('a', 'The laundry '), sendText('a', 'is done.'))
    client.send(flush('a'), flush('a'), sendText('a', ' Now it is dry.'), close('a'))
    await closed(client, 'a')
    expect(summary(client, 'a')).toEqual([
      'contextCreated',
      'audioChunk',
      'flushCompleted',
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
    expect(resultsOf(client)[0]).toEqual({
      contextId: 'a',
      contextCreated: {
        ...settings,
        audioConfig: { ...pcm, speakingRate: 1 },
        bufferCharThreshold: 1000,
        maxBufferDelayMs: 0,
        autoMode: false,
      },
      status: ok,
    })
    const counts = chunksOf(client, 'a').map(({ usage }) => usage.processedCharactersCount)
    expect(new Set(counts)).toEqual(new Set([20, 35]))
  })

  it('sends the audio that a request for the same text gets, with shorter pauses', async () => {
    const response = await testApp.post('/tts/v1/voice:stream', { ...settings, text: 'Good day.' })
    const lines = (await response.text()).trimEnd().split('\n')
    const streamed = lines.map((line) => JSON.parse(line).result.audioContent)
    const expected = Buffer.concat(streamed.map((content) => Buffer.from(content, 'base64')))
    const client = await connect()
    client.send(create('a'), sendText('a', 'Good day.'), close('a'))
    await closed(client, 'a')
    const contents = chunksOf(client, 'a').map(({ audioContent }) => audioContent)
    const audio = Buffer.concat(contents.map((content) => Buffer.from(content, 'base64')))
    const shorterBytes = Math.round((0.6 - 0.35) * 16_000) * 2
    expect(audio.length).toBe(expected.length - shorterBytes)
    expect(audio.equals(expected.subarray(0, audio.length))).toBe(true)
  })

  it('speaks at the threshold, and after the delay', async () => {
    const client = await connect()
    client.send(create('a', { bufferCharThreshold: 20, maxBufferDelayMs: 30 }))
    client.send(sendText('a', 'The laundry is done and dry'))
    await vi.waitFor(() => expect(summary(client, 'a')).toHaveLength(5), { timeout: 20_000 })
    const counts = chunksOf(client, 'a').map(({ usage }) => usage.processedCharactersCount)
    expect([...new Set(counts)]).toEqual([19, 26])
  })

  it('speaks each text at once in auto mode, and ignores a text of white space', async () => {
    const client = await connect()
    const more = { autoMode: true, timestampType: 'WORD', timestampTransportStrategy: 'ASYNC' }
    client.send(create('a', more), sendText('a', 'Good day.'), sendText('a', ' It rains.'))
    client.send(sendText('a', ' '), flush('a'), close('a'))
    await closed(client, 'a')
    expect(summary(client, 'a').filter((name) => name === 'flushCompleted')).toHaveLength(2)
    const words = chunksOf(client, 'a').flatMap(({ timestampInfo, audioContent }) => {
      const { words, wordStartTimeSeconds } = timestampInfo!.wordAlignment
      return words.length > 0 ? [{ words, first: wordStartTimeSeconds[0]!, audioContent }] : []
    })
    // The times of each synthesis count from 0.
    expect(words).toEqual([
      { words: ['Good', 'day.'], first: expect.closeTo(0.02, 1), audioContent: '' },
      { words: ['It', 'rains.'], first: expect.closeTo(0.02, 1), audioContent: '' },
    ])
  })

  it('finds the sentences for SENTENCE_BOUNDARY, which one model does not support', async () => {
    const client = await connect()
    const more = { autoMode: true, autoModeStrategy: 'SENTENCE_BOUNDARY' }
    client.send(create('old', { ...more, modelId: 'svc-tts-1.5-max' }))
    client.send(create('a', more), sendText('a', 'One. T'), sendText('a', 'wo.'), close('a'))
    await closed(client, 'a', 'old')
    expect(summary(client, 'a').filter((name) => name === 'flushCompleted')).toHaveLength(2)
    expect(summary(client, 'old')).toEqual([3, 'contextClosed'])
  })

  it.each([
    ['WAV', [true, false, true, false]],
    ['LINEAR16', [true, true, true, true]],
    ['PCM', [false, false, false, false]],
  ])('has the headers of %s', async (audioEncoding, headers) => {
    const client = await connect()
    client.send(create('a', { audioConfig: { ...pcm, audioEncoding } }))
    client.send(sendText('a', 'It is a fine day.', { flushContext: {} }))
    client.send(sendText('a', 'And so it is.'), close('a'))
    await closed(client, 'a')
    let isStart = true
    const found = resultsOf(client, 'a').flatMap(({ audioChunk }) => {
      const isFirst = isStart
      isStart = audioChunk === undefined
      if (!audioChunk) return []
      const header = readWavHeader(Buffer.from(audioChunk.audioContent, 'base64'))
      return [{ isFirst, hasHeader: header !== undefined }]
    })
    const [first, later, firstAgain, laterAgain] = headers
    const firsts = found.filter(({ isFirst }) => isFirst).map(({ hasHeader }) => hasHeader)
    const others = found.filter(({ isFirst }) => !isFirst).map(({ hasHeader }) => hasHeader)
    expect(firsts).toEqual([first, firstAgain])
    expect(new Set(others)).toEqual(new Set([later, laterAgain]))
  })

  it('needs no id if it is the only one, and takes names in snake_case', async () => {
    const client = await connect()
    client.send({ create: { voice_id: 'Clara', model_id: 'svc-tts-2', audio_config: pcm } })
    client.send({ send_text: { text: 'Hi.', flush_context: {} } }, { close_context: {} })
    await closed(client, '')
    expect(summary(client, '')).toEqual([
      'contextCreated',
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
  })

  it('speaks while others speak, and its id is free when it is closed', async () => {
    const client = await connect()
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const id of ids) client.send(create(id), sendText(id, 'Good day.'), close(id))
    await closed(client, ...ids)
    client.send(create('a'), close('a'))
    await vi.waitFor(() => expect(summary(client, 'a')).toHaveLength(6))
    expect(chunksOf(client, 'e')).toEqual(chunksOf(client, 'b'))
  })
})

describe('an error on a context', () => {
  it('is its status, ends it, and leaves the others', async () => {
    const client = await connect()
    client.send(create('good'), create('nobody', { voiceId: 'Nobody' }))
    client.send(create('flac', { audioConfig: { audioEncoding: 'FLAC' } }))
    client.send(create('long'), sendText('long', 'a'.repeat(2001)))
    client.send(create('markup'), sendText('markup', 'Hm [laugh] hm.'), flush('markup'))
    client.send(sendText('unknown', 'Hi.'), { contextId: 'empty' })
    await closed(client, 'nobody', 'flac', 'long', 'markup', 'unknown', 'empty')
    client.send(sendText('good', 'Good day.'), close('good'))
    await closed(client, 'good')
    expect(summary(client, 'nobody')).toEqual([5, 'contextClosed'])
    expect(summary(client, 'flac')).toEqual([3, 'contextClosed'])
    expect(summary(client, 'long')).toEqual(['contextCreated', 3, 'contextClosed'])
    expect(summary(client, 'markup')).toEqual(['contextCreated', 12, 'contextClosed'])
    expect(summary(client, 'unknown')).toEqual([5, 'contextClosed'])
    expect(summary(client, 'empty')).toEqual([3, 'contextClosed'])
    expect(summary(client, 'good')).toContain('audioChunk')
    const [, status] = resultsOf(client, 'nobody')
    expect(resultsOf(client, 'nobody')[0]?.status.message).toMatch(/^Unknown voice: Nobody\. /)
    expect(status?.contextClosed).toEqual({})
  })

  it('leaves a context whose id is used twice', async () => {
    const client = await connect()
    client.send(create('a'), create('a'), sendText('a', 'Hi.'), close('a'))
    await closed(client, 'a')
    expect(summary(client, 'a')).toEqual([
      'contextCreated',
      6,
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
  })

  it('rejects a sixth context', async () => {
    const client = await connect()
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) client.send(create(id))
    await closed(client, 'f')
    expect(summary(client, 'f')).toEqual([8, 'contextClosed'])
  })

  it('rejects more than 100,000 waiting characters', async () => {
    const client = await connect()
    client.send(create('a', { autoMode: true }))
    const sentence = `${'word '.repeat(399)}end.`
    for (let sent = 0; sent < 110_000; sent += sentence.length) client.send(sendText('a', sentence))
    await closed(client, 'a')
    expect(summary(client, 'a')).toContain(8)
  })

  it('reports an engine that fails, and speaks with other contexts', async () => {
    const failures: unknown[] = []
    const { engine } = testApp.flite
    const failing: Engine = {
      ...engine,
      async speakPhrase(phrase) {
        if (phrase.text.includes('Broken')) throw new EngineError('unavailable', 'It is broken')
        await engine.speakPhrase(phrase)
      },
    }
    const running = { engine: failing, scheduler: createScheduler(1) }
    const { fetch } = createTestApp(running, (error) => failures.push(error))
    const client = await connect({ fetch })
    client.send(create('a'), sendText('a', 'Broken.'), flush('a'))
    client.send(create('b'), sendText('b', 'It is fine.'), close('b'))
    await closed(client, 'a', 'b')
    expect(summary(client, 'a')).toEqual(['contextCreated', 14, 'contextClosed'])
    expect(summary(client, 'b')).toContain('flushCompleted')
    expect(failures).toHaveLength(1)
  })
})

describe('a connection', () => {
  it.each([
    ['no JSON', 'hello', 1008],
    ['a message without a context', sendText('', 'Hi.').sendText, 1008],
    ['a context id that is not a text', { contextId: 5, flushContext: {} }, 1008],
    ['a list', '[]', 1008],
    ['null', 'null', 1008],
  ])('ends with an error after %s', async (_name, message, code) => {
    const client = await connect()
    client.send(message)
    expect(await client.closed).toBe(code)
    expect(client.received).toEqual([
      { error: { code: 3, message: expect.any(String), details: [] } },
    ])
  })

  it('ends after a message of more than a megabyte and after a binary one', async () => {
    const client = await connect()
    client.send(sendText('a', 'a'.repeat(1024 * 1024)))
    expect(await client.closed).toBe(1009)
    const other = await connect()
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
    const scheduler = createScheduler(1)
    const { fetch } = createTestApp({ engine: counting, scheduler }, () => {})
    const client = await connect({ fetch })
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

  it('holds back a client that does not read', async () => {
    const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch })
    const client = await connectSocket(baseUrl, path)
    client.send(create('a', { audioConfig: { ...pcm, sampleRateHertz: 48_000 }, autoMode: true }))
    await vi.waitFor(() => expect(summary(client, 'a')).toHaveLength(1))
    client.webSocket.pause()
    const before = process.memoryUsage().rss
    const sentence = `${'It is a fine day, and so on. '.repeat(60)}`
    for (let index = 0; index < 50; index++) client.send(sendText('a', sentence))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    client.webSocket.terminate()
  })

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
    const client = await connect()
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
