import { type LocalService, startLocalService } from '@parlando/local-service'
import { runningChildProcesses } from '@parlando/test-support/child-processes'
import { keys } from '@parlando/test-support/keys'
import { useDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/test-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServiceNode } from '../../shared/service-node.ts'

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

describe('a form asks with settings that are not deployed', () => {
  it('and gets the voices', async () => {
    await load([])
    const answer = await postToAdmin('/parlando/voices', hosted())
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject(someVoices)
  })

  it('and gets the language models that can be used', async () => {
    const models = [
      { model: 'a' },
      { model: 'b', isSupported: false },
      { model: 'c', isSupported: true },
    ]
    const server = await startTestServer(
      (response) => void response.end(JSON.stringify({ models })),
    )
    await load([])
    const answer = await postToAdmin('/parlando/models', hosted({ baseUrl: server.baseUrl }))
    expect(answer.body).toEqual({ models: [models[0], models[2]] })
  })

  it('and gets audio that a browser plays', async () => {
    await load([])
    const answer = await postToAdmin('/parlando/listen', { ...hosted(), ...spoken })
    const { audio, mediaType } = answer.body as { audio: string; mediaType: string }
    expect(mediaType).toBe('audio/mpeg')
    expect(Buffer.from(audio, 'base64').length).toBeGreaterThan(2000)
  })

  it('and hears no more than a sentence', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    await load([])
    await postToAdmin('/parlando/listen', {
      ...hosted({ baseUrl: server.baseUrl }),
      ...spoken,
      text: 'la '.repeat(1000),
    })
    expect((server.requests[0]!.body as { text: string }).text).toHaveLength(300)
  })

  it('and is told in a sentence what does not work', async () => {
    await load([])
    const answer = await postToAdmin('/parlando/listen', {
      ...hosted(),
      ...spoken,
      voiceId: 'Nobody',
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      error: { code: 'NOT_FOUND', message: expect.stringContaining('Nobody') },
    })
  })

  it.each(['', 'nowhere', 'ftp://speech.example'])(
    'and is told that an address is none: "%s"',
    async (baseUrl) => {
      await load([])
      const answer = await postToAdmin('/parlando/voices', hosted({ baseUrl }))
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ error: { code: 'INVALID_INPUT' } })
    },
  )
})

it('sends no key in the clear beyond the house', async () => {
  await load([])
  const answer = await postToAdmin('/parlando/voices', hosted({ baseUrl: 'http://speech.example' }))
  expect(answer.body).toEqual({
    error: { code: 'INVALID_INPUT', message: 'service.error.in-the-clear' },
  })
})

describe('the connection test', () => {
  const test = async (more: object) => {
    await load([])
    const answer = await postToAdmin('/parlando/test', { ...hosted(more), modelId: 'svc-tts-2' })
    expect(answer.text).not.toContain(apiKey)
    return answer.body
  }
  /** A service that gives lists and speech these answers. */
  const answering = (list: [number, string], speech: [number, string]) =>
    startTestServer((response, request) => {
      const [status, body] = request.method === 'GET' ? list : speech
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  const problem = (code: number, message: string) => JSON.stringify({ error: { code, message } })
  const noRight = problem(16, 'this key may not do that')

  it('finds all well, and how soon audio came', async () => {
    expect(await test({})).toEqual({ outcome: 'well', firstAudioMs: expect.any(Number) })
  })

  it('finds a key that is refused', async () => {
    expect(await test({ apiKey: keys.wrong })).toMatchObject({ outcome: 'key-rejected' })
  })

  it.each([
    [200, JSON.stringify({ result: { audioContent: 'AAAA' } })],
    [404, problem(5, 'no such voice')],
  ])('takes a key that may speak but not list for a good one: %d', async (status, speech) => {
    const server = await answering([403, noRight], [status, speech])
    expect(await test({ baseUrl: server.baseUrl })).toMatchObject({ outcome: 'cannot-list' })
  })

  it('finds nobody at the address', async () => {
    const server = await answering([200, ''], [200, ''])
    await server.close()
    expect(await test({ baseUrl: server.baseUrl })).toMatchObject({
      outcome: 'not-reachable',
      reason: expect.stringContaining(server.baseUrl),
    })
  })

  it.each([
    [200, '<!doctype html><title>Welcome</title>'],
    [404, '<h1>Not found</h1>'],
  ])('finds something else at the address: %d', async (status, page) => {
    const server = await answering([status, page], [status, page])
    expect(await test({ baseUrl: server.baseUrl })).toMatchObject({ outcome: 'not-this-service' })
  })

  it('says what else is wrong', async () => {
    const server = await answering([200, '{"voices":[]}'], [429, problem(8, 'no credit left')])
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

  it('is used for the address it is stored with, and is in no answer', async () => {
    await load(deployed(), credentials)
    for (const path of ['voices', 'models', 'listen', 'test']) {
      const body = { ...hosted({ id: 'stored', apiKey: undefined }), ...spoken }
      const answer = await postToAdmin(`/parlando/${path}`, body)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(apiKey)
    }
  })

  it('is sent to no other address', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    await load(deployed(), credentials)
    for (const path of ['voices', 'models', 'listen', 'test']) {
      const body = hosted({ id: 'stored', baseUrl: server.baseUrl, apiKey: undefined })
      const answer = await postToAdmin(`/parlando/${path}`, { ...body, ...spoken })
      expect(answer.body).toEqual({
        error: { code: 'INVALID_INPUT', message: 'service.error.key-for-other-address' },
      })
    }
    expect(server.requests).toEqual([])
  })

  it('gives way to the one that is typed', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    await load(deployed(), credentials)
    await postToAdmin(
      '/parlando/voices',
      hosted({ id: 'stored', baseUrl: server.baseUrl, apiKey: keys.typed }),
    )
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${keys.typed}`)
  })
})

describe('the service on this device that is started for a form', () => {
  it('serves the next request as well, and ends when nobody has asked for a while', async () => {
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

  it('ends when Node-RED stops while it is still starting', async () => {
    await load([])
    const asking = postToAdmin('/parlando/voices', device)
    await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1), 60_000)
    await unload()
    expect((await asking).status).toBe(422)
    await waitForExit()
  })

  it('is that of the flows where they have one', async () => {
    const flow = await load([{ id: 'own', type: 'parlando-service', location: 'device' }])
    await (flow.node('own') as unknown as ServiceNode).connect(new AbortController().signal)
    await postToAdmin('/parlando/voices', device)
    expect(runningChildProcesses()).toHaveLength(1)
  })
})
