import { useDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import {
  someVoices,
  spoken,
  useHostedService,
} from '@parlando/test-support/node-red/hosted-service'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { describe, expect, it, vi } from 'vitest'
import type { ServiceNode } from '../../../runtime/speech-service.ts'

const { waitForExit } = useDeviceProcesses()
const { load, unload, postToAdmin } = useNodeRed()
const { hosted, serviceUrl } = useHostedService()

const device = { service: { location: 'device' } }

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

  it('receives the recognisers, or nothing from a service that does not list them', async () => {
    const models = [{ modelId: 'sherpa/small', displayName: 'Small', langCodes: ['EN_US'] }]
    let status = 200
    const server = await startTestServer((outgoing) => {
      const body = status === 200 ? { models } : { code: 5, message: 'Not Found' }
      outgoing.writeHead(status).end(JSON.stringify(body))
    })
    await load([])
    const ask = () => postToAdmin('/parlando/recognisers', hosted({ baseUrl: server.baseUrl }))
    expect((await ask()).body).toEqual({ models })
    status = 404
    expect(await ask()).toMatchObject({ status: 200, body: {} })
    expect(server.requests).toMatchObject([{ url: '/stt/v1/models' }, { url: '/stt/v1/models' }])
  })

  it('lists and changes the models of a service, or receives nothing if it installs none', async () => {
    const model = {
      name: 'anna',
      kind: 'voice',
      displayName: 'Anna',
      summary: 'a woman',
      languages: ['de'],
      downloadBytes: 1,
      memoryBytes: 1,
      fit: 'good',
      licence: { name: 'CC0-1.0', url: 'https://example.org', commercialUse: 'yes' },
      isConfirmed: true,
      isInstalled: false,
    }
    const server = await startTestServer((outgoing, { method, url }) => {
      const isList = method === 'GET' && url === '/local/v1/models'
      outgoing.end(JSON.stringify(isList ? { models: [model], needsAddon: false } : model))
    })
    await load([])
    const send = (path: string, more = {}) =>
      postToAdmin(path, { ...hosted({ baseUrl: server.baseUrl }), ...more })
    const { body } = await send('/parlando/local-models')
    expect(body).toEqual({ models: [model], needsAddon: false })
    const change = { name: 'anna', acceptedLicence: 'CC0-1.0' }
    for (const verb of ['install', 'cancel', 'remove']) {
      expect((await send(`/parlando/local-models/${verb}`, change)).body).toEqual(model)
    }
    expect(server.requests.slice(1)).toMatchObject([
      { url: '/local/v1/models/anna:install', body: { acceptedLicence: 'CC0-1.0' } },
      { method: 'POST', url: '/local/v1/models/anna:cancel' },
      { method: 'DELETE', url: '/local/v1/models/anna' },
    ])
    // The service has no data folder.
    expect((await postToAdmin('/parlando/local-models', hosted())).body).toEqual({})
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
    const baseUrl = new URL(serviceUrl()).host
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
