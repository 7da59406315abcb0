import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

const request = { voiceId: 'work__me:1', modelId: 'svc-tts-2' }

it.each([
  ['audio/mpeg', Buffer.from([0xff, 0xfb, 0x94, 0x00])],
  ['audio/wav', Buffer.from('RIFF\x04\x00\x00\x00WAVE', 'latin1')],
])('returns the audio with its media type %s', async (mediaType, audio) => {
  const { server, client } = await clientOf({ audioContent: audio.toString('base64') })
  const { requestId, ...preview } = await client.previewVoice(request)
  expect(preview).toEqual({ audio, mediaType })
  expect(requestId).toBe(server.requests[0]?.headers['x-request-id'])
  expect(server.requests).toMatchObject([
    {
      method: 'GET',
      url: '/tts/v1/voice:preview?voice_id=work__me%3A1&model_id=svc-tts-2',
    },
  ])
})

it.each([
  ['NO_AUDIO', {}],
  ['NO_AUDIO', { audioContent: '' }],
  ['BAD_RESPONSE', { audioContent: 7 }],
])('throws %s for the response %j', async (code, body) => {
  const { client } = await clientOf(body)
  await expect(client.previewVoice(request)).rejects.toMatchObject({ code })
})

it('requests the model svc-tts-2 if the request names none', async () => {
  const { server, client } = await clientOf({ audioContent: '//uUAA==' })
  await client.previewVoice({ voiceId: 'Clara' })
  expect(server.requests).toMatchObject([
    { url: '/tts/v1/voice:preview?voice_id=Clara&model_id=svc-tts-2' },
  ])
})

it('rejects a request with an empty model', async () => {
  const { server, client } = await clientOf({})
  const previewing = client.previewVoice({ ...request, modelId: '' })
  await expect(previewing).rejects.toThrow(/modelId must not be empty/)
  expect(server.requests).toEqual([])
})
