import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import { createClient } from '@parlando/core'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import { createApp } from '../app/app.ts'

const apiKey = keys.service
const upstreamKey = keys.upstream
const messages = [{ role: 'user' as const, content: 'Is it raining?' }]

/** Starts the service without voices, with a chat upstream that runs the given handler. */
async function startWithUpstream(handler: (response: ServerResponse) => void | Promise<void>) {
  const upstream = await startTestServer(handler)
  const app = createApp({
    engines: new Map(),
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList: createVoiceList(),
    apiKey,
    chatUpstream: { baseUrl: `${upstream.baseUrl}/v1`, apiKey: upstreamKey },
    onFailure(error) {
      throw error
    },
  })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, maxRetries: 0 })
  onTestFinished(async () => {
    await client.close()
    server.close()
  })
  const send = (body: object) =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
    })
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  return { upstream, client, send, get }
}

const startWithEvents: typeof startWithUpstream = (handler) =>
  startWithUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return handler(response)
  })

const event = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

describe('chat with an upstream', () => {
  it('passes each event on before the upstream writes the next one', async () => {
    let write = () => {}
    const { upstream, client } = await startWithEvents((response) => {
      const words = ['one', ' two', ' three']
      write = () => {
        const word = words.shift()
        if (word) response.write(event(word))
        else response.end('data: [DONE]\n\n')
      }
      write()
    })
    const received: string[] = []
    for await (const { content } of client.chatStream({ model: 'svc/models/small', messages })) {
      received.push(content!)
      write()
    }
    expect(received).toEqual(['one', ' two', ' three'])
    const [request] = upstream.requests
    expect(request).toMatchObject({ body: { model: 'small', messages, stream: true } })
    expect(request?.headers.authorization).toBe(`Bearer ${upstreamKey}`)
    expect(JSON.stringify(request)).not.toContain(apiKey)
  })

  it('cancels the request to the upstream when the caller stops reading', async () => {
    const { upstream, client } = await startWithEvents(async (response) => {
      const isGone = once(response, 'close').then(() => false)
      for (let isOpen = true; isOpen; ) {
        while (response.write(event('on and on '.repeat(100))));
        isOpen = await Promise.race([once(response, 'drain').then(() => true), isGone])
      }
    })
    const disconnected = upstream.nextDisconnect()
    for await (const _ of client.chatStream({ model: 'endless', messages })) break
    await disconnected
  })

  it.each([
    ['between events', event('One'), 'ApiError', /127\.0\.0\.1:\d+\/v1, broke off its response/],
    ['inside an event', `${event('One')}data: {"cho`, 'ConnectionError', /lost/],
  ])('reports that the upstream broke off %s', async (_where, text, name, message) => {
    const { upstream, client } = await startWithEvents((response) => {
      response.write(text)
    })
    const received: string[] = []
    const reading = (async () => {
      for await (const { content } of client.chatStream({ model: 'weak', messages })) {
        received.push(content!)
        await upstream.close()
      }
    })()
    const failure = { name, message: expect.stringMatching(message) }
    await expect(reading).rejects.toMatchObject(failure)
    expect(received).toEqual(['One'])
  })

  it.each([
    ['after an event', event('One [DONE] "finish_reason":"stop"')],
    ['before any event', ''],
  ])('reports that the upstream ended its response too early, %s', async (_where, text) => {
    const { send } = await startWithEvents((response) => void response.end(text))
    const body = await (await send({ model: 'weak', messages, stream: true })).text()
    expect(body.startsWith(text)).toBe(true)
    const last = body.slice(text.length).trim()
    expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
      error: { code: 'unavailable', message: expect.stringMatching(/v1, ended .* too early/) },
    })
  })

  it('breaks off its own response if the upstream ends inside an event', async () => {
    const text = `${event('One')}data: {"cho`
    const { send } = await startWithEvents((response) => void response.end(text))
    const response = await send({ model: 'weak', messages, stream: true })
    await expect(response.text()).rejects.toThrow(/terminated/)
  })

  it.each([
    ['[DONE]', `${event('One')}data: [DONE]\n\n`],
    ['a finish reason', `data: {"choices":[{"delta":{}, "finish_reason" : "stop"}]}\n\n`],
    ['an error', 'data: {"error":{"message":"Out of memory"}}\n\n'],
  ])('adds nothing to a response that ends with %s', async (_what, text) => {
    const { send } = await startWithEvents(async (response) => {
      for (const letter of text) response.write(letter)
      response.end()
    })
    expect(await (await send({ model: 'good', messages, stream: true })).text()).toBe(text)
  })

  it('reports that the upstream broke off a response that is not streamed', async () => {
    const { client } = await startWithUpstream((response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"choices":', () => response.destroy())
    })
    const failure = { name: 'ConnectionError', code: 'CONNECTION_LOST' }
    await expect(client.chat({ model: 'weak', messages })).rejects.toMatchObject(failure)
  })

  it('passes on the error message of the upstream', async () => {
    const { client } = await startWithUpstream((response) => {
      response.writeHead(500).end('<h1>Out of memory</h1>')
    })
    await expect(client.chat({ model: 'large', messages })).rejects.toMatchObject({
      name: 'ApiError',
      status: 500,
      message: expect.stringMatching(/status 500: Out of memory/),
    })
  })
})

it('the model auto is the first one of the upstream', async () => {
  const { upstream, client } = await startWithUpstream((response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'No.' } }]
    response.end(JSON.stringify({ data: [{ id: 'llama3:8b' }, { id: 'small' }], choices }))
  })
  await client.chat({ model: 'auto', messages })
  expect(upstream.requests.at(-1)).toMatchObject({ body: { model: 'llama3:8b', messages } })
})

describe('the list of models', () => {
  it('contains the echo and the models of the upstream', async () => {
    const { upstream, client } = await startWithUpstream((response) => {
      response.end(JSON.stringify({ data: [{ id: 'llama3:8b' }, { id: 'svc/models/echo' }] }))
    })
    const { models } = await client.listChatModels()
    expect(models.map(({ model }) => model)).toEqual(['svc/models/echo', 'svc/models/llama3:8b'])
    const { content } = await client.chat({ model: 'svc/models/echo', messages })
    expect(content).toMatch(/^This is the echo/)
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/v1/models'])
  })

  it('responds to requests for one model', async () => {
    const { get } = await startWithUpstream((response) => {
      response.end(JSON.stringify({ data: [{ id: 'llama3:8b' }] }))
    })
    for (const name of ['svc%2Fmodels%2Fllama3%3A8b', 'llama3:8b']) {
      expect(await (await get(`/v1/models/${name}`)).json()).toMatchObject({
        id: 'svc/models/llama3:8b',
        object: 'model',
      })
    }
    const { status } = await get('/v1/models/gpt-4o')
    expect(status).toBe(404)
  })

  it('contains only the echo while the upstream is unreachable', async () => {
    const { client } = await startWithUpstream((response) => void response.destroy())
    const { models } = await client.listChatModels()
    expect(models).toMatchObject([{ model: 'svc/models/echo', isSupported: true }])
  })
})
