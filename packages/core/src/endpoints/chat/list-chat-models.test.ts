import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: unknown) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

it('returns models with their unknown fields', async () => {
  const model = {
    model: 'provider/small',
    provider: 'provider',
    pricing: { prompt: 0.1, completionToken: '0.2' },
    spec: { contextLength: 8000, inputModalities: ['text'], capabilities: { tools: true } },
    isSupported: true,
    mood: 'good',
  }
  const { server, client } = await clientOf({ models: [model] })
  expect(await client.listChatModels()).toEqual({
    models: [model],
    requestId: server.requests[0]?.headers['x-request-id'],
  })
  expect(server.requests).toMatchObject([{ method: 'GET', url: '/llm/v1alpha/models' }])
})

it('returns an empty list for a response without models', async () => {
  const { client } = await clientOf({})
  expect(await client.listChatModels()).toMatchObject({ models: [] })
})

it('rejects a list whose models have no name', async () => {
  const { client } = await clientOf({ models: [{ provider: 'nobody' }] })
  await expect(client.listChatModels()).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
})
