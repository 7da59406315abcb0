import { type LocalService, startLocalService } from '@parlando/local-service'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServiceNode } from '../../../runtime/speech-service.ts'

const { load, postToAdmin } = useNodeRed()

const apiKey = keys.service
let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey, warmUp: false })
})
afterAll(() => service.close())
afterEach(() => void vi.unstubAllEnvs())

const hosted = (more: object = {}) => ({
  service: { location: 'hosted', baseUrl: service.baseUrl, apiKey, ...more },
})

describe('address and key from the environment', () => {
  const variable = (name: string) => `\${PARLANDO_TEST_${name}}`

  it('are resolved for a request of a form', async () => {
    vi.stubEnv('PARLANDO_TEST_ADDRESS', service.baseUrl)
    vi.stubEnv('PARLANDO_TEST_KEY', apiKey)
    await load([])
    const response = await postToAdmin(
      '/parlando/voices',
      hosted({ baseUrl: variable('ADDRESS'), apiKey: variable('KEY') }),
    )
    expect(response.status).toBe(200)
  })

  const ofAllFlows = {
    id: 'all',
    type: 'global-config',
    env: [
      { name: 'PARLANDO_TEST_ADDRESS', type: 'env', value: 'PARLANDO_TEST_PLACE' },
      { name: 'PARLANDO_TEST_KEY', type: 'cred', value: '' },
    ],
  }
  const stored = {
    id: 'stored',
    type: 'parlando-service',
    location: 'hosted',
    baseUrl: variable('ADDRESS'),
  }
  const credentials = {
    all: { map: { PARLANDO_TEST_KEY: apiKey } },
    stored: { apiKey: variable('KEY') },
  }

  it.each([
    ['not deployed', [ofAllFlows], { apiKey: variable('KEY') }],
    ['deployed', [ofAllFlows, stored], { id: 'stored', apiKey: undefined }],
  ])('can be global variables, for a service that is %s', async (_how, flow, more) => {
    vi.stubEnv('PARLANDO_TEST_PLACE', service.baseUrl)
    await load(flow, credentials)
    const body = hosted({ baseUrl: variable('ADDRESS'), ...more })
    const response = await postToAdmin('/parlando/voices', body)
    expect(response.status).toBe(200)
  })

  it.each([
    ['address', { baseUrl: variable('UNSET'), apiKey: 'any' }],
    ['key', { apiKey: variable('UNSET') }],
  ])('cause an error if the variable is not set: %s', async (_which, { apiKey, ...given }) => {
    const address = { baseUrl: service.baseUrl, ...given }
    const flow = await load([{ ...stored, ...address }], { stored: { apiKey } })
    const message = 'service.error.no-variable'
    const running = flow.node('stored') as unknown as ServiceNode
    const connecting = running.connect(new AbortController().signal)
    await expect(connecting).rejects.toMatchObject({ code: 'INVALID_INPUT', message })
    const response = await postToAdmin('/parlando/voices', hosted({ ...address, apiKey }))
    expect(response.body).toMatchObject({ error: { code: 'INVALID_INPUT', message } })
  })

  it('can be variables of the tab that contains the service', async () => {
    const env = [{ name: 'PARLANDO_TEST_ADDRESS', type: 'str', value: service.baseUrl }]
    const tab = { id: 'own', type: 'tab', env }
    await load([tab, { ...stored, z: 'own' }], { stored: { apiKey } })
    const body = hosted({ id: 'stored', baseUrl: variable('ADDRESS'), apiKey: undefined })
    expect((await postToAdmin('/parlando/voices', body)).status).toBe(200)
  })
})
