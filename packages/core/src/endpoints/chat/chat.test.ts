import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../client.ts'
import type { ChatRequest } from '../../wire/chat-completion.ts'

const request: ChatRequest = {
  model: 'svc/models/small',
  messages: [{ role: 'user', content: 'Is it raining?' }],
}

async function clientOf(content: unknown, status = 200) {
  const server = await startTestServer((response) => {
    response.writeHead(status).end(typeof content === 'string' ? content : JSON.stringify(content))
  })
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

const ring: Record<string, unknown> = {}
ring['next'] = ring

function responseOf(message: object, more: object = {}) {
  return { choices: [{ index: 0, message, finish_reason: 'stop' }], ...more }
}

describe('chat', () => {
  it('returns the text, the reasoning and the usage', async () => {
    const { server, client } = await clientOf(
      responseOf(
        { role: 'assistant', content: 'No.', reasoning_content: 'A look outside.' },
        {
          id: 'c1',
          model: 'svc/models/small-2',
          usage: {
            prompt_tokens: 5,
            completion_tokens: 7,
            total_tokens: 12,
            completion_tokens_details: { reasoning_tokens: 4 },
          },
          metadata: { reasoning: 'the cheapest model' },
        },
      ),
    )
    const response = await client.chat(request)
    expect(response).toEqual({
      content: 'No.',
      reasoning: 'A look outside.',
      toolCalls: [],
      message: { role: 'assistant', content: 'No.' },
      audio: undefined,
      finishReason: 'stop',
      usage: { promptTokens: 5, completionTokens: 7, totalTokens: 12, reasoningTokens: 4 },
      model: 'svc/models/small-2',
      requestId: server.requests[0]?.headers['x-request-id'],
    })
    expect(server.requests).toMatchObject([
      { method: 'POST', url: '/v1/chat/completions', body: { ...request, stream: false } },
    ])
  })

  it('returns tool calls, and a message for the next request', async () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'rain', arguments: '{"in":"Ulm"}' },
    }
    const { server, client } = await clientOf(
      responseOf({ role: 'assistant', content: null, refusal: null, tool_calls: [call] }),
    )
    const response = await client.chat(request)
    expect(response.toolCalls).toEqual([{ id: 'call_1', name: 'rain', arguments: '{"in":"Ulm"}' }])
    expect(response.content).toBe('')
    const messages = [
      ...request.messages,
      response.message,
      { role: 'tool', content: 'yes', tool_call_id: 'call_1' } as const,
    ]
    await client.chat({ ...request, messages })
    expect(server.requests[1]?.body).toMatchObject({
      messages: [{}, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool' }],
    })
  })

  it('keeps tool calls apart that have neither an id nor an index', async () => {
    const names = ['rain', 'wind']
    const tool_calls = names.map((name) => ({ function: { name, arguments: '{}' } }))
    const { client } = await clientOf(responseOf({ role: 'assistant', content: null, tool_calls }))
    const { toolCalls } = await client.chat(request)
    expect(toolCalls).toEqual(names.map((name) => ({ id: '', name, arguments: '{}' })))
  })

  it.each([
    ['`reasoning`', { content: 'No.', reasoning: 'Hm.' }, { reasoning: 'Hm.' }],
    [
      'reasoning that is not a string',
      { content: 'No.', reasoning: { steps: 2 } },
      { reasoning: '', content: 'No.' },
    ],
    ['content in parts', { content: [{ type: 'text', text: 'No.' }] }, { content: 'No.' }],
    ['a refusal', { content: null, refusal: 'I must not.' }, { content: 'I must not.' }],
    [
      'speech',
      { content: null, audio: { id: 'a', data: 'AAEC', transcript: 'No.' } },
      { audio: { audio: Buffer.of(0, 1, 2), transcript: 'No.' } },
    ],
  ])('reads %s', async (_name, message, expected) => {
    const { client } = await clientOf(responseOf(message))
    expect(await client.chat(request)).toMatchObject(expected)
  })

  it('returns the text although other members are malformed', async () => {
    const odd = { id: 7, model: 7, metadata: [], usage: { total_tokens: '7' } }
    const { client } = await clientOf({ ...responseOf({ content: 'Yes.' }), ...odd })
    expect(await client.chat(request)).toMatchObject({ content: 'Yes.' })
  })

  it.each([
    ['no choices', {}],
    ['an empty list of choices', { choices: [] }],
    ['a choice without a message', { choices: [{ index: 0 }] }],
    ['a body that is not JSON', '<html>'],
  ])('rejects a response with %s', async (_name, content) => {
    const { client } = await clientOf(content)
    await expect(client.chat(request)).rejects.toMatchObject({
      name: 'ProtocolError',
      code: 'BAD_RESPONSE',
    })
  })

  it('throws an error in the OpenAI format with the message of the service', async () => {
    const error = {
      message: 'No such model',
      type: 'invalid_request_error',
      code: 'model_not_found',
    }
    const { client } = await clientOf({ error }, 404)
    await expect(client.chat(request)).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'NOT_FOUND',
      message: 'Chat rejected (404 NOT_FOUND): No such model',
    })
  })

  it('sends every documented field unchanged', async () => {
    const { server, client } = await clientOf(responseOf({ content: 'No.' }))
    const full: ChatRequest = {
      ...request,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [{ type: 'text', text: 'Is it raining?' }], name: 'Ida' },
      ],
      max_tokens: 2000,
      max_completion_tokens: 2000,
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: -1,
      frequency_penalty: 1,
      seed: 7,
      stop: ['END'],
      logit_bias: { '50256': -100 },
      user: 'ida',
      tools: [{ type: 'function', function: { name: 'rain', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'rain' } },
      response_format: { type: 'json_schema', json_schema: { name: 'rain', schema: {} } },
      reasoning_effort: 'low',
      modalities: ['text', 'audio'],
      audio: { voice: 'Clara', model: 'svc-tts-2' },
      image_config: { size: 'small' },
      models: ['provider/other'],
      ignore: ['provider/bad'],
      sort: ['latency'],
      provider: { order: ['a', 'b'], allow_fallbacks: false },
      fallback: { ttft_timeout: '800ms' },
      extra_body: { metadata: { flow: 'rain' }, reasoning: { exclude: true } },
      web_search: { max_results: 1 },
    }
    await client.chat(full)
    expect(server.requests[0]?.body).toEqual({ ...full, stream: false })
  })

  it('accepts a reasoning effort in any letter case', async () => {
    const { server, client } = await clientOf(responseOf({ content: 'No.' }))
    await client.chat({ ...request, reasoning_effort: 'HIGH' as 'high' })
    expect(server.requests[0]?.body).toMatchObject({ reasoning_effort: 'high' })
  })

  it.each([
    ['messages must contain at least one message', { messages: [] }],
    ['model must not be empty', { model: '' }],
    ['temperature', { temperature: 3 }],
    ['top_p', { top_p: 0 }],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['fallback.ttft_timeout must be a duration such as 800ms', { fallback: { ttft_timeout: '1' } }],
    ['maxTokens', { maxTokens: 5 }],
    ['messages.0', { messages: [{ role: 'robot', content: 'Hi' }] }],
    ['mutually exclusive', { web_search: true, web_search_options: {} }],
    ['cannot be serialised as JSON', { image_config: { size: 5n } }],
    ['circular reference', { image_config: ring }],
  ])('rejects a request before any I/O: %s', async (problem, more) => {
    const { server, client } = await clientOf(responseOf({ content: 'No.' }))
    const bad = { ...request, ...more } as ChatRequest
    await expect(client.chat(bad)).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining(problem),
    })
    expect(server.requests).toEqual([])
  })
})
