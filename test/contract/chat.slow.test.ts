import { type Client, createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { keys } from '@parlando/test-support/secrets/keys'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apiKey = keys.service
const upstreamKey = keys.upstream
const messages = [{ role: 'user' as const, content: 'Is it raining?' }]
const content = 'This is the echo of this device, not a language model. You said: Is it raining?'
const completion = {
  content,
  finishReason: 'stop',
  usage: { promptTokens: 3, completionTokens: 16, totalTokens: 19 },
  message: { role: 'assistant', content },
}

let services: ChildService[]
/** Clients of a single service, and of one that uses the first as its language model server. */
let direct: Client
let proxied: Client
let openai: OpenAI
beforeAll(async () => {
  const single = await startLocalServiceProcess({ apiKey: upstreamKey, warmUp: false })
  const chatUpstream = `${single.baseUrl}/v1`
  const front = await startLocalServiceProcess({
    warmUp: false,
    apiKey,
    chatUpstream,
    chatUpstreamKey: upstreamKey,
  })
  services = [single, front]
  direct = createClient({ baseUrl: single.baseUrl, apiKey: upstreamKey })
  proxied = createClient({ baseUrl: front.baseUrl, apiKey })
  openai = new OpenAI({ baseURL: `${front.baseUrl}/v1`, apiKey, maxRetries: 0 })
})
afterAll(async () => {
  await Promise.all([direct.close(), proxied.close()])
  await Promise.all(services.map((service) => service.close()))
})

describe('chat with the local service', () => {
  it.each([
    ['the echo', () => direct, 'svc/models/echo'],
    ['the automatic model', () => direct, 'auto'],
    ['the echo next to another server', () => proxied, 'svc/models/echo'],
    ['another server', () => proxied, 'svc/models/auto'],
  ])('reaches %s, whole and streamed', async (_who, client, model) => {
    expect(await client().chat({ model, messages })).toMatchObject(completion)
    const stream = client().chatStream({ model, messages })
    const deltas: (string | undefined)[] = []
    for await (const delta of stream) deltas.push(delta.content)
    expect(deltas.length).toBe(16)
    expect(stream).toMatchObject(completion)
  })

  it('lists its models', async () => {
    for (const client of [direct, proxied]) {
      const { models } = await client.listChatModels()
      expect(models).toMatchObject([{ model: 'svc/models/echo', isSupported: true }])
    }
  })

  it('explains how to use another model, even through another service', async () => {
    for (const client of [direct, proxied]) {
      await expect(client.chat({ model: 'svc/models/large', messages })).rejects.toMatchObject({
        name: 'ApiError',
        code: 'NOT_FOUND',
        message: expect.stringContaining('--chat-upstream'),
      })
    }
  })
})

describe.each(['svc/models/echo', 'svc/models/auto'])('the OpenAI client and %s', (model) => {
  it('work together for whole responses', async () => {
    const { choices, usage } = await openai.chat.completions.create({ model, messages })
    expect(choices).toMatchObject([{ message: { role: 'assistant', content } }])
    expect(usage?.total_tokens).toBe(19)
  })

  it('work together for streams', async () => {
    const stream = openai.chat.completions.stream({ model, messages, max_completion_tokens: 3 })
    const deltas: string[] = []
    for await (const { choices } of stream) deltas.push(choices[0]?.delta.content ?? '')
    expect(deltas.filter(Boolean)).toEqual(['This', ' is', ' the'])
    const { choices } = await stream.finalChatCompletion()
    expect(choices).toMatchObject([
      { message: { content: 'This is the' }, finish_reason: 'length' },
    ])
  })
})

describe('the OpenAI client', () => {
  it('lists the models', async () => {
    const models: string[] = []
    // The installed recognisers follow.
    for await (const model of openai.models.list()) if (!('task' in model)) models.push(model.id)
    expect(models).toEqual(['svc/models/echo'])
  })

  it('understands the errors', async () => {
    const failing = openai.chat.completions.create({ model: 'large', messages })
    await expect(failing).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      type: 'invalid_request_error',
      message: expect.stringContaining('--chat-upstream'),
    })
    const unauthorized = openai.withOptions({ apiKey: keys.wrong })
    await expect(unauthorized.models.list()).rejects.toMatchObject({
      name: 'Error',
      status: 401,
      code: 'unauthenticated',
    })
  })
})
