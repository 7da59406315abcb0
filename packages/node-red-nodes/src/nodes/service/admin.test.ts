import { type LocalService, startLocalService } from '@parlando/local-service'
import { runningChildProcesses } from '@parlando/test-support/child-processes'
import { keys } from '@parlando/test-support/keys'
import { useDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/test-server'
import { unreachableUrl } from '@parlando/test-support/unreachable-url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServiceNode } from '../../shared/speech-service.ts'

const { waitForExit } = useDeviceProcesses()
const { load, unload, postToAdmin } = useNodeRed()

const apiKey = keys.service
let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey, warmUp: false })
})
afterAll(() => service.close())

const hosted = (more: object = {}) => ({
  service: { location: 'hosted', baseUrl: service.baseUrl, apiKey, ...more },
})
const device = { service: { location: 'device' } }
const someVoices = {
  voices: expect.arrayContaining([
    expect.objectContaining({ voiceId: 'Clara', langCode: 'EN_US' }),
  ]),
}
const spoken = { text: 'Hello there.', voiceId: 'Clara', modelId: 'svc-tts-2' }

describe('the stop button', () => {
  it('stops the work of a node, which is then done', async () => {
    const server = await startTestServer(() => {})
    const flow = await load([
      { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: server.baseUrl },
      { id: 'speak', type: 'parlando-speak', z: 'tab', service: 'service', voice: 'Clara' },
      { id: 'complete', type: 'complete', z: 'tab', scope: ['speak'], wires: [['completed']] },
      { id: 'completed', type: 'helper', z: 'tab' },
    ])
    flow.node('speak').receive({ payload: 'Hello.' })
    await vi.waitFor(() => expect(server.requests.length).toBe(1))
    expect(await postToAdmin('/parlando/stop', { id: 'speak' })).toMatchObject({ status: 200 })
    // The text, and the message that stopped it.
    await flow.waitFor('completed', 2)
  })

  it.each(['completed', 'nothing'])('only stops nodes of this package: %s', async (id) => {
    await load([{ id: 'completed', type: 'helper', z: 'tab' }])
    expect(await postToAdmin('/parlando/stop', { id })).toMatchObject({
      status: 422,
      body: { error: { code: 'INVALID_INPUT' } },
    })
  })
})

describe('a form with settings that are not deployed', () => {
  it('receives the voices', async () => {
    await load([])
    const response = await postToAdmin('/parlando/voices', hosted())
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject(someVoices)
  })

  it('receives the supported language models', async () => {
    const models = [
      { model: 'a' },
      { model: 'b', isSupported: false },
      { model: 'c', isSupported: true },
    ]
    const server = await startTestServer(
      (outgoing) => void outgoing.end(JSON.stringify({ models })),
    )
    await load([])
    const response = await postToAdmin('/parlando/models', hosted({ baseUrl: server.baseUrl }))
    expect(response.body).toEqual({ models: [models[0], models[2]] })
  })

  it('receives audio that browsers play', async () => {
    await load([])
    const response = await postToAdmin('/parlando/listen', { ...hosted(), ...spoken })
    const { audio, mediaType } = response.body as { audio: string; mediaType: string }
    expect(mediaType).toBe('audio/mpeg')
    expect(Buffer.from(audio, 'base64').length).toBeGreaterThan(2000)
  })

  it('receives the speech of at most 300 characters', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load([])
    await postToAdmin('/parlando/listen', {
      ...hosted({ baseUrl: server.baseUrl }),
      ...spoken,
      text: 'la '.repeat(1000),
    })
    expect((server.requests[0]!.body as { text: string }).text).toHaveLength(300)
  })

  it('receives a sentence that describes the failure', async () => {
    await load([])
    const response = await postToAdmin('/parlando/listen', {
      ...hosted(),
      ...spoken,
      voiceId: 'Nobody',
    })
    expect(response.status).toBe(422)
    expect(response.body).toEqual({
      error: { code: 'NOT_FOUND', message: expect.stringContaining('Nobody') },
    })
  })

  it('receives the voices of an address that was typed without http://', async () => {
    await load([])
    const baseUrl = new URL(service.baseUrl).host
    expect((await postToAdmin('/parlando/voices', hosted({ baseUrl }))).body).toMatchObject(
      someVoices,
    )
  })

  it.each(['', 'two words', 'ftp://speech.example'])(
    'receives INVALID_INPUT for the address "%s"',
    async (baseUrl) => {
      await load([])
      const response = await postToAdmin('/parlando/voices', hosted({ baseUrl }))
      expect(response.status).toBe(422)
      expect(response.body).toMatchObject({ error: { code: 'INVALID_INPUT' } })
    },
  )
})

it('sends no key without encryption over the internet', async () => {
  await load([])
  const response = await postToAdmin(
    '/parlando/voices',
    hosted({ baseUrl: 'http://speech.example' }),
  )
  expect(response.body).toEqual({
    error: { code: 'INVALID_INPUT', message: 'service.error.in-the-clear' },
  })
})

describe('a user who may not change flows', () => {
  const deployed = [
    { id: 'stored', type: 'parlando-service', location: 'hosted', baseUrl: '' },
    { id: 'tab2', type: 'tab' },
  ]
  const list = (more: object) => postToAdmin('/parlando/deployed/voices', hosted(more))

  it('receives the voices of a deployed service, and cannot choose another address', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load([{ ...deployed[0], baseUrl: service.baseUrl }], { stored: { apiKey } })
    const { body } = await list({ id: 'stored', baseUrl: server.baseUrl, apiKey: keys.typed })
    expect(body).toMatchObject(someVoices)
    expect(server.requests).toEqual([])
  })

  it('tests and plays a deployed service, and cannot choose an address, a key or a variable', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load([{ ...deployed[0], baseUrl: service.baseUrl }], { stored: { apiKey } })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Node-RED
    const other = { id: 'stored', baseUrl: server.baseUrl, apiKey: '${HOME}' }
    const test = await postToAdmin('/parlando/deployed/test', { ...hosted(other), ...spoken })
    expect(test.body).toMatchObject({ outcome: 'well' })
    const listen = await postToAdmin('/parlando/deployed/listen', { ...hosted(other), ...spoken })
    expect(listen.body).toMatchObject({ mediaType: 'audio/mpeg' })
    expect(server.requests).toEqual([])
  })

  it.each(['tab2', 'unknown'])('receives an error for another id: %s', async (id) => {
    await load(deployed)
    const { status, body } = await list({ id })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('error.no-service')
  })
})

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

describe('a stored key', () => {
  const deployed = () => [
    { id: 'stored', type: 'parlando-service', location: 'hosted', baseUrl: service.baseUrl },
  ]
  const credentials = { stored: { apiKey } }

  it('is sent to its stored address, and appears in no response', async () => {
    await load(deployed(), credentials)
    for (const path of ['voices', 'models', 'listen', 'test']) {
      const body = { ...hosted({ id: 'stored', apiKey: undefined }), ...spoken }
      const response = await postToAdmin(`/parlando/${path}`, body)
      expect(response.status).toBe(200)
      expect(response.text).not.toContain(apiKey)
    }
  })

  it.each([
    ['the stored', (host: string) => [host, `http://${host}`]],
    ['the typed', (host: string) => [`http://${host}`, host]],
  ])('is sent to its stored address without http:// in %s address', async (_which, write) => {
    const [storedUrl, baseUrl] = write(new URL(service.baseUrl).host)
    await load([{ ...deployed()[0], baseUrl: storedUrl }], credentials)
    const body = hosted({ id: 'stored', baseUrl, apiKey: undefined })
    expect((await postToAdmin('/parlando/voices', body)).body).toMatchObject(someVoices)
  })

  it('is not sent to another address', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load(deployed(), credentials)
    for (const path of ['voices', 'models', 'listen', 'test']) {
      const body = hosted({ id: 'stored', baseUrl: server.baseUrl, apiKey: undefined })
      const response = await postToAdmin(`/parlando/${path}`, { ...body, ...spoken })
      expect(response.body).toEqual({
        error: { code: 'INVALID_INPUT', message: 'service.error.key-for-other-address' },
      })
    }
    expect(server.requests).toEqual([])
  })

  it('is overridden by a key that the user types', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load(deployed(), credentials)
    await postToAdmin(
      '/parlando/voices',
      hosted({ id: 'stored', baseUrl: server.baseUrl, apiKey: keys.typed }),
    )
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${keys.typed}`)
  })
})

describe('the service on this device that a form starts', () => {
  it('serves the next request too, and ends after two minutes without requests', async () => {
    await load([])
    for (let request = 1; request <= 2; request++) {
      const { status, body } = await postToAdmin('/parlando/voices', device)
      expect(status).toBe(200)
      expect(body).toMatchObject(someVoices)
    }
    expect(runningChildProcesses()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(120_000)
    await waitForExit()
  })

  it('ends when Node-RED stops its flows', async () => {
    await load([])
    await postToAdmin('/parlando/voices', device)
    expect(runningChildProcesses()).toHaveLength(1)
    await unload()
    await waitForExit()
  })

  it('ends when Node-RED stops its flows during the start', async () => {
    await load([])
    const pending = postToAdmin('/parlando/voices', device)
    await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1), 60_000)
    await unload()
    expect((await pending).status).toBe(422)
    await waitForExit()
  })

  it('is the process of the flows if they have started one', async () => {
    const flow = await load([{ id: 'own', type: 'parlando-service', location: 'device' }])
    await (flow.node('own') as unknown as ServiceNode).connect(new AbortController().signal)
    await postToAdmin('/parlando/voices', device)
    expect(runningChildProcesses()).toHaveLength(1)
  })
})
