import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

async function clientOf(body: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

const designPrompt = 'An old sailor with a deep and friendly voice'
const request = { langCode: 'EN_US', designPrompt }

it('returns the voices to choose from', async () => {
  const audio = Buffer.from('RIFF\x04\x00\x00\x00WAVE', 'latin1')
  const { server, client } = await clientOf({
    langCode: 'EN_US',
    previewVoices: [
      { voiceId: 'one', previewText: 'Ahoy', previewAudio: audio.toString('base64') },
      { voiceId: 'two', previewAudio: Buffer.from([0xff, 0xfb, 0x94, 0]).toString('base64') },
      { voiceId: 'three', previewText: null },
    ],
  })
  const whole = { ...request, previewText: 'Ahoy', voiceDesignConfig: { numberOfSamples: 3 } }
  expect(await client.designVoice(whole)).toMatchObject({
    langCode: 'EN_US',
    previewVoices: [
      { voiceId: 'one', previewText: 'Ahoy', audio, mediaType: 'audio/wav' },
      { voiceId: 'two', previewText: undefined, mediaType: 'audio/mpeg' },
      { voiceId: 'three', previewText: undefined, audio: Buffer.alloc(0) },
    ],
    requestId: server.requests[0]?.headers['x-request-id'],
  })
  const { method, url, body } = server.requests[0]!
  expect({ method, url, body }).toEqual({
    method: 'POST',
    url: '/voices/v1/voices:design',
    body: whole,
  })
})

it('accepts a BCP-47 language, and a prompt that the service may reject as too long', async () => {
  const { server, client } = await clientOf({ previewVoices: [{ voiceId: 'one' }] })
  const body = { languageCode: 'en-US', designPrompt: 'x'.repeat(1000) }
  await client.designVoice(body)
  expect(server.requests[0]?.body).toEqual(body)
})

it.each([
  ['a prompt that is too short', { designPrompt: 'A sailor' }, /designPrompt/],
  ['a prompt that is too long', { designPrompt: 'x'.repeat(1001) }, /designPrompt/],
  ['no language', { langCode: undefined }, /langCode is missing: a code such as EN_US/],
  ['four voices', { voiceDesignConfig: { numberOfSamples: 4 } }, /numberOfSamples/],
])('rejects %s', async (_what, wrong, message) => {
  const { server, client } = await clientOf({})
  await expect(client.designVoice({ ...request, ...wrong })).rejects.toThrow(message)
  expect(server.requests).toEqual([])
})

it.each([{}, { previewVoices: [] }, { previewVoices: [{ previewText: 'Ahoy' }] }])(
  'rejects the response %j',
  async (body) => {
    const { client } = await clientOf(body)
    await expect(client.designVoice(request)).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
  },
)
