import { type AddressInfo, createServer } from 'node:net'
import { chatRequest } from '@parlando/test-support/servers/chat-events'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../client.ts'

function failureOrReason(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

describe('a time limit', () => {
  const limitMs = 100
  // A server that accepts the connection and sends nothing; with TLS, the connection does not even open.
  const startSilentServer = async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    return `127.0.0.1:${(silent.address() as AddressInfo).port}`
  }

  it.each([
    ['connect', { connectTimeoutMs: limitMs }],
    ['first byte', { firstByteTimeoutMs: limitMs }],
    ['next byte', { silenceTimeoutMs: limitMs }],
    ['total', { timeoutMs: limitMs }],
  ])('is kept within a fraction of a second: %s', async (phase, options) => {
    const stalling = await startTestServer((response) => void response.write('{"voices":'))
    const silent = await startSilentServer()
    const baseUrl =
      phase === 'next byte'
        ? stalling.baseUrl
        : `${phase === 'connect' ? 'https' : 'http'}://${silent}`
    const client = createClient({ baseUrl, maxRetries: 0, ...options })
    let shortestMs = Number.POSITIVE_INFINITY
    // A busy machine adds to the duration of some calls. A timer that is checked every half second takes at least 499 ms.
    for (let call = 0; call < 6 && shortestMs >= 400; call++) {
      const startedAt = performance.now()
      const error = await failureOf(client.listVoices())
      shortestMs = Math.min(shortestMs, performance.now() - startedAt)
      expect(error).toMatchObject({ phase, timeoutMs: limitMs })
    }
    expect(shortestMs).toBeLessThan(400)
    await client.close()
  })

  it.each([
    ['a signal', () => ({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError', code: 23 }],
    ['timeoutMs', () => ({ timeoutMs: 50 }), { phase: 'total', timeoutMs: 50 }],
    ['firstByteTimeoutMs', () => ({ firstByteTimeoutMs: 50 }), { phase: 'first byte' }],
  ])('ends a call while its connection opens: %s', async (_what, limit, expected) => {
    // The limit of the connection is longer than the test may take.
    const baseUrl = `https://${await startSilentServer()}`
    const client = createClient({ baseUrl, maxRetries: 0, connectTimeoutMs: 600_000 })
    const speech = { text: 'Hello', voiceId: 'Clara' }
    const openAiSpeech = { model: 'svc-tts-2', input: 'Hello', voice: 'Clara' }
    const failures = await Promise.all([
      failureOrReason(client.listVoices({}, limit())),
      failureOrReason(client.synthesize(speech, limit())),
      failureOrReason(client.synthesizeStream(speech, limit()).collect()),
      failureOrReason(client.synthesizeOpenAi(openAiSpeech, limit()).collect()),
      failureOrReason(client.chatStream(chatRequest, limit()).collect()),
    ])
    for (const failure of failures) expect(failure).toMatchObject(expected)
    await client.close()
  })

  it('ends a socket while its connection opens', async () => {
    const baseUrl = `https://${await startSilentServer()}`
    const client = createClient({ baseUrl, maxRetries: 0, connectTimeoutMs: 600_000 })
    const signal = AbortSignal.timeout(50)
    const failures = await Promise.all([
      failureOrReason(client.speechSocket({ signal }).opened()),
      failureOrReason(client.transcribeStream({}, { signal })[Symbol.asyncIterator]().next()),
      failureOrReason(client.realtime({}, { signal })[Symbol.asyncIterator]().next()),
    ])
    for (const failure of failures) expect(failure).toBe(signal.reason)
    await client.close()
  })

  it('of the silence does not count while the reader pauses', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(1000)).repeat(200))
      setTimeout(() => response.end(audioLine(Buffer.alloc(1000))), 10)
    })
    const client = createClient({ baseUrl: server.baseUrl, silenceTimeoutMs: 30, maxRetries: 0 })
    const request = { text: 'Hello', voiceId: 'Clara', modelId: 'm' }
    let chunks = 0
    for await (const _ of client.synthesizeStream(request)) {
      if (chunks++ === 0) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(chunks).toBe(201)
  })
})

describe('timeoutMs', () => {
  it('ends a call that takes too long, even while bytes arrive, and closes the connection', async () => {
    const server = await startTestServer((response) => {
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
    })
    const client = createClient({ baseUrl: server.baseUrl, timeoutMs: 100 })
    expect(await failureOf(client.listVoices())).toMatchObject({
      name: 'TimeoutError',
      phase: 'total',
      timeoutMs: 100,
      retryable: false,
    })
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })
})

describe('maxConcurrent', () => {
  it('limits concurrent calls, runs the others in order, and skips aborted ones', async () => {
    const pending: (() => void)[] = []
    const server = await startTestServer((response) => {
      pending.push(() => response.end('{}'))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxConcurrent: 2 })
    const list = (filter: string, signal?: AbortSignal) => client.listVoices({ filter }, { signal })
    const running = [list('1'), list('1')]
    await vi.waitFor(() => expect(pending.length).toBe(2))
    const timeout = AbortSignal.timeout(50)
    const waiting = [failureOrReason(list('2', timeout)), list('3'), list('4'), list('5')]
    expect(await waiting[0]).toBe(timeout.reason)
    for (let index = 0; index < 5; index++) {
      await vi.waitFor(() => expect(pending.length).toBe(Math.min(index + 2, 5)))
      pending[index]?.()
    }
    await Promise.all([...running, ...waiting])
    const filters = server.requests.map(({ url }) => url.split('filter=')[1])
    expect(filters).toEqual(['1', '1', '3', '4', '5'])
  })
})
