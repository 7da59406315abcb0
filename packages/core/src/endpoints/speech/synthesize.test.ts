import { startTestServer } from '@parlando/test-support/test-server'
import { describe, expect, it } from 'vitest'
import { writeWavHeader } from '../../audio/wav.ts'
import { createClient } from '../../client.ts'

const request = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
const audio = Buffer.from('some audio')

async function clientOf(answer: unknown) {
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const server = await startTestServer((response) => void response.end(body))
  return { server, client: createClient({ baseUrl: server.baseUrl, maxResponseBytes: 10_000 }) }
}

describe('synthesize', () => {
  it('gives the audio, what it is, and what was counted', async () => {
    const { client, server } = await clientOf({
      audioContent: audio.toString('base64'),
      usage: { processedCharactersCount: 5, modelId: 'svc-tts-2' },
    })
    expect(await client.synthesize(request)).toMatchObject({
      audio,
      encoding: 'MP3',
      mediaType: 'audio/mpeg',
      sampleRateHertz: 48000,
      usage: { processedCharactersCount: 5, modelId: 'svc-tts-2' },
    })
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/tts/v1/voice' })
  })

  it.each([
    ['MULAW has one rate', { audioEncoding: 'MULAW' }, 'MULAW', 8000],
    ['what is undefined is left out', { audioEncoding: undefined }, 'MP3', 48000],
    ['and so is a rate', { audioEncoding: 'PCM', sampleRateHertz: undefined }, 'PCM', 48000],
  ] as const)(
    'knows what it gets where a request leaves it open: %s',
    async (_, audioConfig, encoding, sampleRateHertz) => {
      const { client } = await clientOf({ audioContent: audio.toString('base64') })
      const speech = await client.synthesize({ ...request, audioConfig })
      expect(speech).toMatchObject({ encoding, sampleRateHertz })
      const stream = client.synthesizeStream({ ...request, audioConfig })
      expect(stream).toMatchObject({ encoding, sampleRateHertz })
    },
  )

  it('takes the header off PCM that came with one, and believes its rate', async () => {
    const file = Buffer.concat([writeWavHeader({ sampleRateHertz: 16000 }), audio])
    const { client } = await clientOf({ audioContent: file.toString('base64') })
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24000 } as const
    expect(await client.synthesize({ ...request, audioConfig })).toMatchObject({
      audio,
      sampleRateHertz: 16000,
    })
  })

  it('gives the times of words and characters, and passes over what has none', async () => {
    const { client } = await clientOf({
      audioContent: audio.toString('base64'),
      timestampInfo: {
        wordAlignment: {
          words: ['Hello', 'you'],
          wordStartTimeSeconds: [0.05],
          wordEndTimeSeconds: [0.4],
        },
        characterAlignment: null,
      },
    })
    const { timestamps } = await client.synthesize({ ...request, timestampType: 'WORD' })
    expect(timestamps).toEqual({
      words: [{ text: 'Hello', startSeconds: 0.05, endSeconds: 0.4 }],
      characters: [],
    })
  })

  it.each([
    { usage: { processedCharactersCount: '5' } },
    { timestampInfo: { wordAlignment: { words: ['Hello'], wordStartTimeSeconds: [null] } } },
  ])('gives the audio though what stands beside it is odd: %j', async (odd) => {
    const { client } = await clientOf({ audioContent: audio.toString('base64'), ...odd })
    expect((await client.synthesize(request)).audio).toEqual(audio)
  })

  it.each([
    ['NO_AUDIO', 'an answer without audio', {}],
    ['NO_AUDIO', 'an answer with empty audio', { audioContent: '' }],
    ['BAD_RESPONSE', 'an answer that is not JSON', '<html>'],
    ['BAD_RESPONSE', 'audio that is not text', { audioContent: [1] }],
    ['RESPONSE_TOO_LARGE', 'an answer above the limit', { audioContent: 'A'.repeat(20_000) }],
  ])('throws %s for %s', async (code, _what, answer) => {
    const { client } = await clientOf(answer)
    await expect(client.synthesize(request)).rejects.toMatchObject({ name: 'ProtocolError', code })
  })
})
