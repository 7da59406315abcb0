import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it } from 'vitest'
import { createTransport } from '../../http/transport.ts'
import { resolveOptions } from '../../options.ts'
import { previewVoice } from './preview-voice.ts'

async function transportOf(answer: object) {
  const server = await startTestServer((response) => void response.end(JSON.stringify(answer)))
  return { server, transport: createTransport(resolveOptions({ baseUrl: server.baseUrl })) }
}

const request = { voiceId: 'work__me:1', modelId: 'svc-tts-2' }

it.each([
  ['audio/mpeg', Buffer.from([0xff, 0xfb, 0x94, 0x00])],
  ['audio/wav', Buffer.from('RIFF\x04\x00\x00\x00WAVE', 'latin1')],
])('gives the audio and that it is %s', async (mediaType, audio) => {
  const { server, transport } = await transportOf({ audioContent: audio.toString('base64') })
  const { requestId, ...preview } = await previewVoice(transport, request)
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
])('throws %s for the answer %j', async (code, answer) => {
  const { transport } = await transportOf(answer)
  await expect(previewVoice(transport, request)).rejects.toMatchObject({ code })
})

it('refuses a request without a model', async () => {
  const { server, transport } = await transportOf({})
  const previewing = previewVoice(transport, { ...request, modelId: '' })
  await expect(previewing).rejects.toThrow(/modelId: no model is chosen/)
  expect(server.requests).toEqual([])
})
