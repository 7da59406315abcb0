import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

it('sends the changes and returns the changed voice', async () => {
  const voice = { voiceId: 'me/1', displayName: 'Me', description: '', tags: [] }
  const { server, client } = await clientOf(voice)
  const { displayName, description, tags } = voice
  const request = { voiceId: 'me/1', displayName, description, tags }
  expect(await client.updateVoice(request)).toEqual(voice)
  const { method, url, body } = server.requests[0]!
  expect({ method, url, body }).toEqual({
    method: 'PATCH',
    url: '/voices/v1/voices/me%2F1',
    body: { displayName, description, tags },
  })
})

it.each([
  [
    'nothing to change',
    { voiceId: 'Me' },
    /at least one of displayName, description and tags is required/,
  ],
  [
    'only an undefined field',
    { voiceId: 'Me', tags: undefined },
    /at least one of displayName, description and tags is required/,
  ],
  ['an empty name', { voiceId: 'Me', displayName: '' }, /displayName must not be empty/],
  ['an empty tag', { voiceId: 'Me', tags: [''] }, /tags\.0 must not be empty/],
  ['a field that cannot be changed', { voiceId: 'Me', gender: 'female' }, /gender/],
  ['no voice', { displayName: 'Me' }, /voiceId/],
  ['no request', undefined, /Voice update not valid/],
])('rejects %s', async (_what, request, message) => {
  const { server, client } = await clientOf({ voiceId: 'Me' })
  const updating = client.updateVoice(request as { voiceId: string })
  await expect(updating).rejects.toThrow(message)
  await expect(updating).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(server.requests).toEqual([])
})
