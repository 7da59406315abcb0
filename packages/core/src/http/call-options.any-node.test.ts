import { chatRequest, completeResponse } from '@parlando/test-support/servers/chat-events'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeWavHeader } from '../audio/wav.ts'
import { type Client, createClient } from '../client.ts'
import { type CallOptions, createCall, resolveOptions } from './client-options.ts'

const speech = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
const longText = 'This is one of many sentences. '.repeat(10)
const bytes = { model: 'svc-tts-2', input: 'Hello', voice: 'Clara' }
const recording = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 8000, dataBytes: 96_000 }),
  Buffer.alloc(96_000, 1),
])
const clone = { displayName: 'Me', langCode: 'EN_US', samples: [recording] }
const design = { langCode: 'EN_US', designPrompt: 'A calm woman in her fifties with a low voice' }

describe('call options', () => {
  it.each([
    ['a misspelt option', { timeoutMillis: 5 }, /timeoutMillis/],
    ['a limit of 0', { firstByteTimeoutMs: 0 }, /firstByteTimeoutMs/],
    ['a limit that a timer cannot count', { timeoutMs: 2 ** 31 }, /timeoutMs.*2147483647/],
    ['a negative number of retries', { maxRetries: -1 }, /maxRetries/],
    ['a string for a signal', { signal: 'stop' }, /signal must be an AbortSignal/],
    ['a string for a function', { onRetry: 'log' }, /onRetry must be a function/],
  ])('are validated before anything is sent: %s', async (_what, options, message) => {
    const server = await startTestServer((response) => void response.end('{}'))
    const client = createClient({ baseUrl: server.baseUrl })
    const wrong = options as object
    await expect(client.listVoices({}, wrong)).rejects.toMatchObject({ name: 'InputError' })
    await expect(client.listChatModels(wrong)).rejects.toThrow(message)
    expect(() => client.synthesizeStream(speech, wrong)).toThrow(message)
    expect(server.requests).toEqual([])
  })

  it('name the purpose of the call in every error', async () => {
    let sent = '{"code":14}'
    const server = await startTestServer((response) => {
      response.writeHead(sent.includes('code') ? 503 : 200).end(sent)
    })
    const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
    const messageOf = () => client.listVoices({}, { purpose: 'Speech' }).catch(String)
    expect(await messageOf()).toMatch('ApiError: Speech rejected (503')
    sent = 'no JSON'
    expect(await messageOf()).toMatch('ProtocolError: Speech failed: the response is not JSON')
    sent = '{"voices":7}'
    expect(await messageOf()).toMatch('ProtocolError: Speech failed: the response does not match')
  })

  it('name the purpose of the call in the errors of streams', async () => {
    let sent = ''
    let status = 200
    const server = await startTestServer((response) => void response.writeHead(status).end(sent))
    const limits = { maxLineBytes: 2000, maxResponseBytes: 2000 }
    const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...limits })
    const purpose = { purpose: 'Greeting' }
    const spoken = () => client.synthesizeStream(speech, purpose).collect().catch(String)
    const whole = () => client.synthesize(speech, purpose).catch(String)
    const openAi = () => client.synthesizeOpenAi(bytes, purpose).collect().catch(String)
    const chat = () => client.chatStream(chatRequest, purpose).collect().catch(String)
    const cases: [string, ...(() => Promise<unknown>)[]][] = [
      ['', spoken, openAi, chat],
      ['{}', spoken, whole],
      ['no JSON', spoken, whole],
      ['[]', spoken],
      ['{"result":{"audioContent":"AA$A"}}', spoken],
      ['{"audioContent":"AA$A"}', whole],
      [audioLine(Buffer.alloc(1000)).repeat(3), spoken],
      ['x'.repeat(3000), spoken, openAi],
      ['<html>', chat],
      ['data: {\n\n', chat],
      ['data: {"choices":7}\n\n', chat],
      [`data: "${'x'.repeat(3000)}`, chat],
    ]
    for (const [body, ...calls] of cases) {
      sent = body
      for (const call of calls) expect(await call()).toMatch(/^\w+Error: Greeting (failed|broke)/)
    }
    status = 503
    for (const call of [spoken, whole, openAi, chat]) {
      expect(await call()).toMatch('ApiError: Greeting rejected')
    }
  })

  it('limit the wait for the first byte', async () => {
    const server = await startTestServer(() => {})
    const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
    const late = { name: 'TimeoutError', phase: 'first byte', timeoutMs: 50 }
    const options = { firstByteTimeoutMs: 50 }
    const calls = [
      () => client.listVoices({}, options),
      () => client.cloneVoice(clone, options),
      () => client.synthesizeStream(speech, options).consume(() => {}),
    ]
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject(late)
    }
  })

  it('have a longer default for the first byte of a clone and a design', async () => {
    const responses: (() => void)[] = []
    const server = await startTestServer((response, { url }) => {
      const body = { voice: { voiceId: 'me' }, previewVoices: [{ voiceId: 'her' }] }
      if (!url?.endsWith('voices')) responses.push(() => response.end(JSON.stringify(body)))
    })
    const client = createClient({ baseUrl: server.baseUrl, firstByteTimeoutMs: 100, maxRetries: 0 })
    const made = Promise.all([client.cloneVoice(clone), client.designVoice(design)])
    await vi.waitFor(() => expect(responses).toHaveLength(2))
    await expect(client.listVoices()).rejects.toMatchObject({
      phase: 'first byte',
      timeoutMs: 100,
    })
    for (const respond of responses) respond()
    expect(await made).toMatchObject([
      { voice: { voiceId: 'me' } },
      { previewVoices: [{ voiceId: 'her' }] },
    ])
  })

  it('override the time limit of the client', async () => {
    const server = await startTestServer((response) => void response.write(' '))
    const client = createClient({ baseUrl: server.baseUrl, timeoutMs: 60_000 })
    await expect(client.listVoices({}, { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
      phase: 'total',
      timeoutMs: 50,
    })
  })

  it.each([
    [0, 3, 1],
    [3, 0, 4],
  ])(
    'set the retries of one call: %i, not %i of the client',
    async (maxRetries, ofClient, attempts) => {
      const server = await startTestServer((response) => {
        response.writeHead(503, { 'retry-after': '0' }).end()
      })
      const client = createClient({ baseUrl: server.baseUrl, maxRetries: ofClient })
      await expect(client.listVoices({}, { maxRetries })).rejects.toThrow('UNAVAILABLE')
      expect(server.requests).toHaveLength(attempts)
    },
  )

  it('include the wait for a retry in the time limit of the call', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(503, { 'retry-after': '25' }).end()
    })
    const limit = new AbortController()
    const started = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    onTestFinished(() => started.mockRestore())
    const client = createClient({ baseUrl: server.baseUrl })
    // The time is over when the call waits for its retry.
    const onRetry = () => void setImmediate(() => limit.abort(new DOMException('', 'TimeoutError')))
    const listing = client.listVoices({}, { timeoutMs: 200, onRetry })
    await expect(listing).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('report a retry after the client has reported it', async () => {
    let count = 0
    const server = await startTestServer((response) => {
      if (count++ % 2 === 0) response.writeHead(503, { 'retry-after': '0' }).end()
      else response.end(audioLine(Buffer.from('audio')))
    })
    const reported: string[] = []
    const client = createClient({
      baseUrl: server.baseUrl,
      onRetry: ({ what }) => void reported.push(`client: ${what}`),
    })
    const options = { onRetry: ({ what }: { what: string }) => void reported.push(`call: ${what}`) }
    await client.synthesizeStream(speech, options).consume(() => {})
    const list = client.listVoices({}, options)
    await expect(list).resolves.toMatchObject({ voices: [] })
    expect(reported).toEqual([
      'client: Speech',
      'call: Speech',
      'client: Voice list',
      'call: Voice list',
    ])
  })
})

describe('the clock of a call', () => {
  it.each<[string, (client: Client, options: CallOptions) => AsyncIterable<unknown>]>([
    ['speech', (client, options) => client.synthesizeStream(speech, options)],
    [
      'long speech',
      (client, options) => client.synthesizeStream({ ...speech, text: longText }, options),
    ],
    ['bytes', (client, options) => client.synthesizeOpenAi(bytes, options)],
    ['chat', (client, options) => client.chatStream(chatRequest, options)],
  ])('starts once, even if a second loop is rejected: %s', async (_what, begin) => {
    const server = await startTestServer((response, { url }) => {
      response.end(url?.includes('chat') ? completeResponse : audioLine(Buffer.from('audio')))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxTextCharacters: 100 })
    const started = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => started.mockRestore())
    const stream = begin(client, { timeoutMs: 60_000 })
    for await (const _ of stream) {
      expect(() => stream[Symbol.asyncIterator]()).toThrow('consumed once')
    }
    expect(started).toHaveBeenCalledTimes(1)
  })
})

describe('createCall', () => {
  it('starts one clock for all attempts and pieces of a call', () => {
    const options = resolveOptions({ baseUrl: 'http://127.0.0.1:1', timeoutMs: 60_000 })
    const call = createCall(options, {}, 'Voice list')
    const deadline = call.deadline()
    expect(deadline?.aborted).toBe(false)
    expect({ ...call }.deadline()).toBe(deadline)
  })
})
