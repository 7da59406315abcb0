import {
  someVoices,
  spoken,
  useHostedService,
} from '@parlando/test-support/node-red/hosted-service'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const { load, postToAdmin } = useNodeRed()
const { hosted, serviceUrl } = useHostedService()
const apiKey = keys.service

describe('a user who may not change flows', () => {
  const deployed = [
    { id: 'stored', type: 'parlando-service', location: 'hosted', baseUrl: '' },
    { id: 'tab2', type: 'tab' },
  ]
  const list = (more: object) => postToAdmin('/parlando/deployed/voices', hosted(more))

  it('receives the voices of a deployed service, and cannot choose another address', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load([{ ...deployed[0], baseUrl: serviceUrl() }], { stored: { apiKey } })
    const { body } = await list({ id: 'stored', baseUrl: server.baseUrl, apiKey: keys.typed })
    expect(body).toMatchObject(someVoices)
    expect(server.requests).toEqual([])
  })

  it('tests and plays a deployed service, and cannot choose an address, a key or a variable', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load([{ ...deployed[0], baseUrl: serviceUrl() }], { stored: { apiKey } })
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

describe('a stored key', () => {
  const deployed = () => [
    { id: 'stored', type: 'parlando-service', location: 'hosted', baseUrl: serviceUrl() },
  ]
  const credentials = { stored: { apiKey } }

  it('is sent to its stored address, and appears in no response', async () => {
    await load(deployed(), credentials)
    for (const path of ['voices', 'models', 'recognisers', 'listen', 'test']) {
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
    const [storedUrl, baseUrl] = write(new URL(serviceUrl()).host)
    await load([{ ...deployed()[0], baseUrl: storedUrl }], credentials)
    const body = hosted({ id: 'stored', baseUrl, apiKey: undefined })
    expect((await postToAdmin('/parlando/voices', body)).body).toMatchObject(someVoices)
  })

  it('is not sent to another address', async () => {
    const server = await startTestServer((outgoing) => void outgoing.end('{}'))
    await load(deployed(), credentials)
    for (const path of ['voices', 'models', 'recognisers', 'listen', 'test']) {
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
