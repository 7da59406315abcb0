import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: unknown, status = 200) {
  const server = await startTestServer((response) => {
    response.writeHead(status).end(JSON.stringify(body))
  })
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

it('returns recognition models with their unknown fields', async () => {
  const model = { modelId: 'sherpa/small', langCodes: ['DE_DE'], timesWords: true, mood: 'good' }
  const { server, client } = await clientOf({ models: [model] })
  expect(await client.listTranscriptionModels()).toEqual({
    models: [model],
    requestId: server.requests[0]?.headers['x-request-id'],
  })
  expect(server.requests).toMatchObject([{ method: 'GET', url: '/stt/v1/models' }])
})

it('returns an empty list for a response without recognition models', async () => {
  const { client } = await clientOf({})
  expect(await client.listTranscriptionModels()).toMatchObject({ models: [] })
})

it('rejects a list whose recognition models have no id', async () => {
  const { client } = await clientOf({ models: [{ displayName: 'Nobody' }] })
  await expect(client.listTranscriptionModels()).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
})

it('fails with NOT_FOUND at a service that does not list recognition models', async () => {
  const { client } = await clientOf({ code: 5, message: 'Not Found', details: [] }, 404)
  await expect(client.listTranscriptionModels()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
