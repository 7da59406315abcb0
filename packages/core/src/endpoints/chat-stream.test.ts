import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startLittleServer } from '../../../../test/support/little-server.ts'
import { resolveOptions } from '../options.ts'
import { createTransport } from '../transport.ts'
import type { ChatRequest } from '../wire/chat.ts'
import type { ChatDelta } from './chat-record.ts'
import { type ChatStream, chatStream } from './chat-stream.ts'

const request: ChatRequest = {
  model: 'svc/models/small',
  messages: [{ role: 'user', content: 'Is it raining?' }],
}

type Handler = (response: ServerResponse) => void

async function streamerOf(answer: string | Handler, clientOptions: object = {}) {
  const server = await startLittleServer((response) =>
    typeof answer === 'string' ? void response.end(answer) : answer(response),
  )
  const options = resolveOptions({ baseUrl: server.baseUrl, ...clientOptions })
  const transport = createTransport(options)
  const stream = (signal?: AbortSignal, more: object = {}) =>
    chatStream(transport, options, { ...request, ...more }, signal)
  return { server, stream }
}

function event(delta: object, more: object = {}): string {
  return data({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

const stop = event({}, { finish_reason: 'stop' })
const done = 'data: [DONE]\n\n'

async function collect(stream: ChatStream): Promise<ChatDelta[]> {
  const deltas: ChatDelta[] = []
  for await (const delta of stream) deltas.push(delta)
  return deltas
}

describe('chatStream', () => {
  const whole = [
    data({ model: 'small-2', choices: [{ delta: { role: 'assistant', content: null } }] }),
    event({ reasoning_content: 'A look ' }),
    event({ reasoning: 'outside.' }),
    ': keep-alive\n\n',
    event({ content: '' }),
    event({ content: 'Ja, es ' }),
    event({ content: 'gießt 🌧.' }),
    stop,
    data({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
    done,
  ].join('')
  const deltas = [
    { reasoning: 'A look ' },
    { reasoning: 'outside.' },
    { content: 'Ja, es ' },
    { content: 'gießt 🌧.' },
  ]

  it('gives the deltas and, beside them, everything so far', async () => {
    const { server, stream } = await streamerOf(whole)
    const answer = stream()
    expect(await collect(answer)).toEqual(deltas)
    expect(answer).toMatchObject({
      content: 'Ja, es gießt 🌧.',
      reasoning: 'A look outside.',
      toolCalls: [],
      message: { role: 'assistant', content: 'Ja, es gießt 🌧.' },
      finishReason: 'stop',
      usage: { promptTokens: 5, completionTokens: 7, totalTokens: 12 },
      model: 'small-2',
      requestId: server.requests[0]?.headers['x-request-id'],
    })
  })

  it('asks for a stream with its usage, whatever the request says', async () => {
    const { server, stream } = await streamerOf(whole)
    await collect(stream(undefined, { stream: false, stream_options: { include_usage: false } }))
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/v1/chat/completions',
        body: { ...request, stream: true, stream_options: { include_usage: true } },
      },
    ])
  })

  it('makes no request until the loop begins, and only one', async () => {
    const { server, stream } = await streamerOf(whole)
    const answer = stream()
    expect(server.requests).toHaveLength(0)
    await collect(answer)
    expect(() => answer[Symbol.asyncIterator]()).toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
    expect(server.requests).toHaveLength(1)
  })

  it('refuses a bad request at once', async () => {
    const { stream } = await streamerOf(whole)
    expect(() => stream(undefined, { temperature: 9 })).toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
  })

  it('gives the same wherever the network cuts the answer in two', async () => {
    const body = Buffer.from(whole)
    let cut = 0
    const { stream } = await streamerOf(async (response) => {
      response.write(body.subarray(0, cut))
      await new Promise((resolve) => setImmediate(resolve))
      response.end(body.subarray(cut))
    })
    for (cut = 1; cut < body.length; cut += 3) expect(await collect(stream())).toEqual(deltas)
  })

  it('tells, wherever the answer ends too early, that it broke off', async () => {
    const body = Buffer.from(event({ content: 'No' }) + event({ content: '.' }))
    let end = 0
    const { stream } = await streamerOf((response) => void response.end(body.subarray(0, end)))
    for (end = 0; end <= body.length; end++) {
      await expect(collect(stream())).rejects.toMatchObject({
        name: 'ConnectionError',
        code: 'CONNECTION_LOST',
        retryable: true,
        requestId: expect.any(String),
      })
    }
  })

  it('takes an answer with a finish reason for whole, also without [DONE]', async () => {
    const { stream } = await streamerOf(event({ content: 'No.' }) + stop)
    expect(await collect(stream())).toEqual([{ content: 'No.' }])
  })

  it('puts tool calls together from their bits, which may be mixed', async () => {
    const bit = (index: number | undefined, id?: string, name?: string, text?: string) =>
      event({ tool_calls: [{ index, id, function: { name, arguments: text } }] })
    const { stream } = await streamerOf(
      [
        bit(0, 'a', 'rain', ''),
        bit(1, 'b', 'wind', '{"in"'),
        bit(0, undefined, undefined, '{}'),
        bit(1, undefined, undefined, ':"Ulm"}'),
        event({}, { finish_reason: 'tool_calls' }),
        done,
      ].join(''),
    )
    const answer = stream()
    expect((await collect(answer))[1]).toEqual({
      toolCalls: [{ index: 1, id: 'b', name: 'wind', arguments: '{"in"' }],
    })
    expect(answer.toolCalls).toEqual([
      { id: 'a', name: 'rain', arguments: '{}' },
      { id: 'b', name: 'wind', arguments: '{"in":"Ulm"}' },
    ])
    expect(answer.finishReason).toBe('tool_calls')
  })

  it('tells tool calls apart by their ids where the service sends no index', async () => {
    const bit = (call: object) => event({ tool_calls: [call] })
    const { stream } = await streamerOf(
      [
        bit({ id: 'a', function: { name: 'rain', arguments: '{' } }),
        bit({ function: { arguments: '}' } }),
        bit({ id: 'b', function: { name: 'wind', arguments: '{}' } }),
        done,
      ].join(''),
    )
    const answer = stream()
    await collect(answer)
    expect(answer.toolCalls).toEqual([
      { id: 'a', name: 'rain', arguments: '{}' },
      { id: 'b', name: 'wind', arguments: '{}' },
    ])
  })

  it('gives the answer spoken with its text', async () => {
    const { stream } = await streamerOf(event({ audio: { data: 'AAEC', transcript: 'No' } }) + done)
    expect(await collect(stream())).toEqual([
      { audio: { audio: Buffer.of(0, 1, 2), transcript: 'No' } },
    ])
  })

  it.each([
    ['OpenAI name', { message: 'Slower', type: 'rate_limit_error', code: null }, 429, true],
    ['OpenAI code', { message: 'Slower', type: 'x', code: 'rate_limit_exceeded' }, 429, true],
    ['gRPC number', { code: 8, message: 'Slower', details: [] }, 429, true],
    ['gRPC name', { code: 'RESOURCE_EXHAUSTED', message: 'Slower' }, 429, true],
    ['HTTP status', { code: 429, message: 'Slower' }, 429, true],
    ['HTTP status that has no name', { code: 502, message: 'Slower' }, 500, true],
    ['bad request', { code: 'invalid_api_key', message: 'Slower' }, 401, false],
    ['text', 'Slower', 500, true],
  ])(
    'throws, after the deltas before it, an error with an %s',
    async (_n, error, status, retryable) => {
      const { stream } = await streamerOf(event({ content: 'No' }) + data({ error }))
      const answer = stream()
      await expect(collect(answer)).rejects.toMatchObject({
        name: 'ApiError',
        status,
        retryable,
        requestId: expect.any(String),
        message: expect.stringContaining('Slower'),
      })
      expect(answer.content).toBe('No')
    },
  )

  it('reads an error that comes as a bare line', async () => {
    const { stream } = await streamerOf('{"error":{"code":14,"message":"Busy"}}')
    await expect(collect(stream())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it.each([
    ['BAD_ANSWER', 'an event that is not JSON', 'data: {"choices\n\n'],
    ['BAD_ANSWER', 'an event of another shape', data({ choices: 'many' })],
    ['BAD_ANSWER', 'a page', '<html>\n</html>\n'],
    ['LINE_TOO_LONG', 'an event above the limit', event({ content: 'x'.repeat(2000) })],
    [
      'ANSWER_TOO_LARGE',
      'an answer above the limit',
      event({ content: 'x'.repeat(700) }).repeat(3),
    ],
  ])('throws %s for %s', async (code, _name, body) => {
    const { stream } = await streamerOf(body + done, { maxLineBytes: 1000, maxAnswerBytes: 2000 })
    await expect(collect(stream())).rejects.toMatchObject({
      name: 'ProtocolError',
      code,
      requestId: expect.any(String),
    })
  })

  it('closes the connection when the loop is left early', async () => {
    const { server, stream } = await streamerOf((response) => {
      response.write(event({ content: 'No' }))
    })
    const gone = server.nextDisconnect()
    for await (const delta of stream()) {
      expect(delta).toEqual({ content: 'No' })
      break
    }
    await gone
  })

  it('throws the reason of an abort and closes the connection', async () => {
    const { server, stream } = await streamerOf((response) => {
      response.write(event({ content: 'No' }))
    })
    const abort = new AbortController()
    const gone = server.nextDisconnect()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const _ of stream(abort.signal)) abort.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
    await gone
  })

  it('keeps connections for the next calls', async () => {
    const ports = new Set<number | undefined>()
    const { stream } = await streamerOf((response) => {
      ports.add(response.socket?.remotePort)
      response.end(whole)
    })
    for (let call = 0; call < 6; call++) await collect(stream())
    // undici takes turns between two.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it('ends soon after [DONE], also when the service forgets to end the answer', async () => {
    const { server, stream } = await streamerOf((response) => void response.write(whole))
    const gone = server.nextDisconnect()
    expect(await collect(stream())).toEqual(deltas)
    await gone
  })
})
