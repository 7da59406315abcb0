import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'
import type { LocalModel } from '../../wire/local-model.ts'

const model: LocalModel = {
  name: 'thorsten',
  kind: 'voice',
  displayName: 'Thorsten',
  summary: 'a German voice',
  languages: ['de'],
  downloadBytes: 67_000_000,
  memoryBytes: 501_000_000,
  fit: 'good',
  licence: { name: 'CC0-1.0', url: 'https://example.org', commercialUse: 'yes' },
  isConfirmed: true,
  isInstalled: false,
}

async function clientOf(body: unknown, status = 200) {
  const server = await startTestServer((response) => {
    response.writeHead(status).end(JSON.stringify(body))
  })
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

it('lists models with their unknown fields', async () => {
  const models = [{ ...model, mood: 'good' }]
  const { server, client } = await clientOf({ models, needsAddon: true, problem: null })
  expect(await client.listLocalModels()).toEqual({
    models,
    needsAddon: true,
    requestId: server.requests[0]?.headers['x-request-id'],
  })
  expect(server.requests).toMatchObject([{ method: 'GET', url: '/local/v1/models' }])
})

it('fails with NOT_FOUND at a service that does not install models', async () => {
  const { client } = await clientOf({ code: 5, message: 'Not Found', details: [] }, 404)
  await expect(client.listLocalModels()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('installs a model with its accepted licence, cancels and removes it', async () => {
  const { server, client } = await clientOf(model)
  const installation = { name: 'thorsten', acceptedLicence: 'CC0-1.0' }
  expect(await client.installLocalModel(installation)).toEqual(model)
  expect(await client.cancelLocalModel('a/b')).toEqual(model)
  expect(await client.removeLocalModel('thorsten')).toEqual(model)
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      url: '/local/v1/models/thorsten:install',
      body: { acceptedLicence: 'CC0-1.0' },
    },
    { method: 'POST', url: '/local/v1/models/a%2Fb:cancel' },
    { method: 'DELETE', url: '/local/v1/models/thorsten' },
  ])
})

it('sends no request without a name or a licence', async () => {
  const { server, client } = await clientOf(model)
  const withoutLicence = client.installLocalModel({ name: 'thorsten' } as never)
  await expect(withoutLicence).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  for (const name of ['', '.', '..', '\ud800']) {
    await expect(client.removeLocalModel(name)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  }
  expect(server.requests).toEqual([])
})
