import { Readable } from 'node:stream'
import {
  chat,
  upstreamOf,
  upstreamSending,
} from '@parlando/test-support/local-service/upstream/chat-upstream'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { describe, expect, it } from 'vitest'
import { createChatUpstream } from './chat-upstream.ts'

const key = keys.upstream

describe('a chat upstream', () => {
  it('receives the unchanged body and its own key, and its response is passed on byte for byte', async () => {
    const { server, forward } = await upstreamSending(200, '{"any": "thing"}', {
      'content-type': 'text/odd',
    })
    const response = await forward()
    expect(response.headers.get('content-type')).toBe('text/odd')
    expect(await response.text()).toBe('{"any": "thing"}')
    const [request] = server.requests
    expect(request).toMatchObject({ url: '/v1/chat/completions', body: chat })
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
  })

  it('receives no authorization header if no key is configured', async () => {
    const { server, forward } = await upstreamOf((response) => response.end('{}'), { apiKey: '' })
    await forward()
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('is reported as unreachable, with its address', async () => {
    const upstream = createChatUpstream({ baseUrl: unreachableUrl, apiKey: key })
    const body = Buffer.from(JSON.stringify(chat))
    const forwarded = upstream.forward(body, new AbortController().signal, () => {})
    await expect(forwarded).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(`${unreachableUrl}, cannot be reached \\(ECONNREFUSED\\)`),
    })
  })

  it('has its request aborted if it does not start to respond', async () => {
    const { server, forward } = await upstreamOf(() => {}, { firstByteTimeoutMs: 50 })
    const disconnected = server.nextDisconnect()
    await expect(forward()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await disconnected
  })

  it('has its request aborted when the caller disconnects before the response', async () => {
    const { server, upstream } = await upstreamOf(() => disconnect.abort())
    const disconnect = new AbortController()
    const disconnected = server.nextDisconnect()
    await expect(
      upstream.forward(Buffer.from(JSON.stringify(chat)), disconnect.signal, () => {}),
    ).rejects.toMatchObject({
      code: 'CANCELLED',
    })
    await disconnected
  })

  it('is asked only once for its models by parallel requests', async () => {
    const { server, upstream } = await upstreamSending(
      200,
      '{"data":[{"id":"a"},{"id":7},{"id":"b/c"}]}',
    )
    const lists = await Promise.all([upstream.listModels(), upstream.listModels()])
    expect(lists).toEqual([
      ['a', 'b/c'],
      ['a', 'b/c'],
    ])
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/models'])
  })

  it('has no models if its list never ends', async () => {
    const piece = '{"id":"a"},'.repeat(100_000)
    let pieces = 0
    const { server, upstream } = await upstreamOf((response) => {
      const endless = function* () {
        for (; pieces < 100; pieces++) yield piece
      }
      Readable.from(endless()).pipe(response)
    })
    const disconnected = server.nextDisconnect()
    expect(await upstream.listModels()).toEqual([])
    await disconnected
    expect(pieces).toBeLessThan(20)
  })

  it.each([
    [500, '{}'],
    [200, '<html>'],
    [200, '{"data":7}'],
    [200, 'null'],
  ])('has no models if it responds with %i %s', async (status, body) => {
    const { upstream } = await upstreamSending(status, body)
    expect(await upstream.listModels()).toEqual([])
  })
})
