import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: unknown) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: `${server.baseUrl}/speech/` }) }
}

it('returns voices with their unknown fields', async () => {
  const voice = { voiceId: 'Clara', displayName: 'Clara', description: null, mood: 'good' }
  const { client, server } = await clientOf({ voices: [voice], nextPageToken: '', totalSize: 1 })
  expect(await client.listVoices()).toEqual({
    voices: [voice],
    nextPageToken: undefined,
    totalSize: 1,
    requestId: server.requests[0]?.headers['x-request-id'],
  })
  expect(server.requests[0]?.url).toBe('/speech/voices/v1/voices')
})

it('sends the filters, and one parameter per language', async () => {
  const { client, server } = await clientOf({})
  const query = { languages: ['EN_US', 'DE_DE'], pageSize: 2, filter: 'tags:"calm"' }
  expect(await client.listVoices(query)).toMatchObject({ voices: [] })
  expect(server.requests[0]?.url).toBe(
    '/speech/voices/v1/voices?languages=EN_US&languages=DE_DE&pageSize=2&filter=tags%3A%22calm%22',
  )
})

it('rejects a list whose voices have no id', async () => {
  const { client } = await clientOf({ voices: [{ displayName: 'Nobody' }] })
  await expect(client.listVoices()).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
})
