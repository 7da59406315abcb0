import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

it('publishes a designed voice, with or without a description', async () => {
  const voice = { voiceId: 'work__new one', displayName: 'Nora', source: 'TVD' }
  const { server, client } = await clientOf(voice)
  const { voiceId } = voice
  const texts = { displayName: 'Nora', description: 'Warm', tags: ['warm'] }
  expect(await client.publishVoice({ voiceId, ...texts })).toEqual(voice)
  expect(await client.publishVoice({ voiceId })).toEqual(voice)
  const url = '/voices/v1/voices/work__new%20one:publish'
  expect(server.requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
    { method: 'POST', url, body: texts },
    { method: 'POST', url, body: {} },
  ])
})

it('rejects unknown fields', async () => {
  const { server, client } = await clientOf({ voiceId: 'Nora' })
  const request = { voiceId: 'Nora', name: 'Nora' }
  await expect(client.publishVoice(request)).rejects.toThrow(/Voice publication not valid.*name/)
  expect(server.requests).toEqual([])
})
