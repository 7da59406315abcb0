import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

it('returns a voice with its unknown fields', async () => {
  const voice = { voiceId: 'Clara', displayName: 'Clara', description: null, mood: 'good' }
  const { server, client } = await clientOf(voice)
  expect(await client.getVoice('Clara')).toEqual(voice)
  expect(server.requests).toMatchObject([
    { method: 'GET', url: '/voices/v1/voices/Clara', body: '' },
  ])
})

it.each([
  ['workspace__my-voice', 'workspace__my-voice'],
  ['a/b c?d#e%f', 'a%2Fb%20c%3Fd%23e%25f'],
  ['Clara:publish', 'Clara%3Apublish'],
  ['...', '...'],
  ['Zoë', 'Zo%C3%AB'],
])('encodes the id %j in the path as %s', async (voiceId, encoded) => {
  const { server, client } = await clientOf({ voiceId })
  await client.getVoice(voiceId)
  expect(server.requests[0]?.url).toBe(`/voices/v1/voices/${encoded}`)
})

it.each(['', '.', '..', '\ud800', undefined])('rejects the invalid id %j', async (voiceId) => {
  const { server, client } = await clientOf({ voiceId: 'Clara' })
  await expect(client.getVoice(voiceId as string)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/^Voice id not valid/),
  })
  expect(server.requests).toEqual([])
})

it('rejects a response that is not a voice', async () => {
  const { client } = await clientOf({ voice: { voiceId: 'Clara' } })
  await expect(client.getVoice('Clara')).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
})
