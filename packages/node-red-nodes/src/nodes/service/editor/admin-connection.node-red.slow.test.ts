import { useHostedService } from '@parlando/test-support/node-red/hosted-service'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const { load, postToAdmin } = useNodeRed()
const { hosted } = useHostedService()
const apiKey = keys.service

describe('the connection test', () => {
  const test = async (more: object) => {
    await load([])
    const response = await postToAdmin('/parlando/test', { ...hosted(more), modelId: 'svc-tts-2' })
    expect(response.text).not.toContain(apiKey)
    return response.body
  }
  /** A service with these responses for lists and for speech. */
  const respondingWith = (list: [number, string], speech: [number, string]) =>
    startTestServer((outgoing, request) => {
      const [status, body] = request.method === 'GET' ? list : speech
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  const problem = (code: number, message: string) => JSON.stringify({ error: { code, message } })
  const forbidden = problem(16, 'this key may not do that')

  it('reports success and the time to the first audio', async () => {
    expect(await test({})).toEqual({ outcome: 'well', firstAudioMs: expect.any(Number) })
  })

  it('detects a rejected key', async () => {
    expect(await test({ apiKey: keys.wrong })).toMatchObject({ outcome: 'key-rejected' })
  })

  it.each([
    [200, JSON.stringify({ result: { audioContent: 'AAAA' } })],
    [404, problem(5, 'no such voice')],
  ])('accepts a key that may speak but not list voices: %d', async (status, speech) => {
    const server = await respondingWith([403, forbidden], [status, speech])
    expect(await test({ baseUrl: server.baseUrl })).toMatchObject({ outcome: 'cannot-list' })
  })

  it('reports that nothing listens at the address', async () => {
    expect(await test({ baseUrl: unreachableUrl })).toMatchObject({
      outcome: 'not-reachable',
      reason: expect.stringContaining(unreachableUrl),
    })
  })

  it.each([
    [200, '<!doctype html><title>Welcome</title>'],
    [404, '<h1>Not found</h1>'],
  ])('detects that another kind of server responds: %d', async (status, page) => {
    const server = await respondingWith([status, page], [status, page])
    expect(await test({ baseUrl: server.baseUrl })).toMatchObject({ outcome: 'not-this-service' })
  })

  it.each([
    [
      200,
      JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] }),
    ],
    [404, JSON.stringify({ error: { message: 'model "parlando-connection-test" not found' } })],
    [400, JSON.stringify({ error: { message: 'Unknown model' } })],
  ])('recognises a service that only has language models: %d %s', async (status, chat) => {
    const server = await startTestServer((outgoing, { url }) => {
      const isChat = url === '/v1/chat/completions'
      outgoing.writeHead(isChat ? status : 404, { 'content-type': 'application/json' })
      outgoing.end(isChat ? chat : '{"detail":"Not Found"}')
    })
    expect(await test({ baseUrl: server.baseUrl })).toEqual({ outcome: 'chat-only' })
  })

  it.each([
    [401, '<h1>Our intranet</h1>', 'key-rejected', '401 UNAUTHENTICATED'],
    [403, 'Our intranet', 'key-rejected', '403 PERMISSION_DENIED'],
    [404, '{"site":"Our intranet"}', 'not-this-service', '404 NOT_FOUND'],
    [500, '<h1>Our intranet</h1>', 'failed', '500 INTERNAL'],
  ])('does not quote another server: %d %s', async (status, page, outcome, reason) => {
    const server = await respondingWith([status, page], [status, page])
    expect(await test({ baseUrl: server.baseUrl })).toEqual({ outcome, reason })
  })

  it('does not quote a page if the key may speak but not list voices', async () => {
    const speech = JSON.stringify({ result: { audioContent: 'AAAA' } })
    const server = await respondingWith([403, 'Our intranet'], [200, speech])
    expect(await test({ baseUrl: server.baseUrl })).toEqual({
      outcome: 'cannot-list',
      reason: '403 PERMISSION_DENIED',
    })
  })

  it('reports the message of any other failure', async () => {
    const server = await respondingWith([200, '{"voices":[]}'], [429, problem(8, 'no credit left')])
    expect(await test({ baseUrl: server.baseUrl })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('no credit left'),
    })
  })
})
