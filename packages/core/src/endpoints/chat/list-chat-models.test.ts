import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it } from 'vitest'
import { createTransport } from '../../http/transport.ts'
import { resolveOptions } from '../../options.ts'
import { listModels } from './list-chat-models.ts'

async function transportOf(answer: unknown) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(answer)))
  return { server, transport: createTransport(resolveOptions({ baseUrl: server.baseUrl })) }
}

it('lists models and keeps what it does not know of them', async () => {
  const model = {
    model: 'provider/small',
    provider: 'provider',
    pricing: { prompt: 0.1, completionToken: '0.2' },
    spec: { contextLength: 8000, inputModalities: ['text'], capabilities: { tools: true } },
    isSupported: true,
    mood: 'good',
  }
  const { server, transport } = await transportOf({ models: [model] })
  expect(await listModels(transport)).toEqual({
    models: [model],
    requestId: server.requests[0]?.headers['x-request-id'],
  })
  expect(server.requests).toMatchObject([{ method: 'GET', url: '/llm/v1alpha/models' }])
})

it('takes an answer without models for an empty list', async () => {
  const { transport } = await transportOf({})
  expect(await listModels(transport)).toMatchObject({ models: [] })
})

it('refuses a list whose models have no name', async () => {
  const { transport } = await transportOf({ models: [{ provider: 'nobody' }] })
  await expect(listModels(transport)).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
})
