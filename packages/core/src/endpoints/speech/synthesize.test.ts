import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { writeWavHeader } from '../../audio/wav.ts'
import { createClient } from '../../client.ts'

const request = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
const audio = Buffer.from('some audio')

async function clientOf(content: unknown) {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  const server = await startTestServer((response) => void response.end(body))
  return { server, client: createClient({ baseUrl: server.baseUrl, maxResponseBytes: 10_000 }) }
}

describe('synthesize', () => {
  it('returns the audio, its format and the usage', async () => {
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
    ['[{"code":"skipped-characters","message":"No \\u732b","characters":"\\u732b"}]', ['No 猫']],
    ['not JSON', []],
    ['[1]', []],
  ])('returns the warnings of the header: %s', async (header, messages) => {
    const server = await startTestServer((response) => {
      response.setHeader('x-parlando-warnings', header)
      response.end(
        `${JSON.stringify({ result: { audioContent: audio.toString('base64') }, audioContent: audio.toString('base64') })}\n`,
      )
    })
    const client = createClient({ baseUrl: server.baseUrl })
    const { warnings } = await client.synthesize(request)
    expect(warnings.map(({ message }) => message)).toEqual(messages)
    const stream = client.synthesizeStream(request)
    expect((await stream.collect()).warnings).toEqual(warnings)
  })

  it('sends the default model if the request names none', async () => {
    const { client, server } = await clientOf({ audioContent: audio.toString('base64') })
    await client.synthesize({ text: 'Hello', voiceId: 'Clara' })
    await client.synthesize({ text: 'Hello', voiceId: 'Clara', modelId: undefined })
    const models = server.requests.map(({ body }) => (body as { modelId?: string }).modelId)
    expect(models).toEqual(['svc-tts-2', 'svc-tts-2'])
  })

  it.each([
    ['MULAW has only one rate', { audioEncoding: 'MULAW' }, 'MULAW', 8000],
    ['an undefined encoding is the default', { audioEncoding: undefined }, 'MP3', 48000],
    [
      'an undefined rate is the default',
      { audioEncoding: 'PCM', sampleRateHertz: undefined },
      'PCM',
      48000,
    ],
  ] as const)(
    'states the format that the service chooses for an incomplete request: %s',
    async (_, audioConfig, encoding, sampleRateHertz) => {
      const { client } = await clientOf({ audioContent: audio.toString('base64') })
      const speech = await client.synthesize({ ...request, audioConfig })
      expect(speech).toMatchObject({ encoding, sampleRateHertz })
      const stream = client.synthesizeStream({ ...request, audioConfig })
      expect(stream).toMatchObject({ encoding, sampleRateHertz })
    },
  )

  it('removes the header of PCM audio and uses its sample rate', async () => {
    const file = Buffer.concat([writeWavHeader({ sampleRateHertz: 16000 }), audio])
    const { client } = await clientOf({ audioContent: file.toString('base64') })
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24000 } as const
    expect(await client.synthesize({ ...request, audioConfig })).toMatchObject({
      audio,
      sampleRateHertz: 16000,
    })
  })

  it('returns the times of words and characters, without incomplete ones', async () => {
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

  it('returns the phones of each word with their visemes, without incomplete ones', async () => {
    const phone = { phoneSymbol: 'h', startTimeSeconds: 0.05, durationSeconds: 0.25 }
    const { client } = await clientOf({
      audioContent: audio.toString('base64'),
      timestampInfo: {
        wordAlignment: {
          words: ['', 'Hello'],
          wordStartTimeSeconds: [0, 0.05],
          wordEndTimeSeconds: [0.05, 0.4],
          phoneticDetails: [
            {
              wordIndex: 1,
              phones: [
                { ...phone, visemeSymbol: 'cdgknstxyz' },
                { ...phone, phoneSymbol: 'oʊ1', startTimeSeconds: 0.3, durationSeconds: 0 },
                { ...phone, durationSeconds: null },
              ],
            },
            { wordIndex: 9, phones: [phone] },
            { phones: [phone] },
          ],
        },
      },
    })
    const { timestamps } = await client.synthesize({ ...request, timestampType: 'WORD' })
    expect(timestamps?.words).toEqual([
      { text: '', startSeconds: 0, endSeconds: 0.05 },
      {
        text: 'Hello',
        startSeconds: 0.05,
        endSeconds: 0.4,
        phones: [
          { symbol: 'h', viseme: 'cdgknstxyz', startSeconds: 0.05, endSeconds: 0.3 },
          { symbol: 'oʊ1', startSeconds: 0.3, endSeconds: 0.3 },
        ],
      },
    ])
  })

  it('returns the times of words although their phones are malformed', async () => {
    const { client } = await clientOf({
      audioContent: audio.toString('base64'),
      timestampInfo: {
        wordAlignment: {
          words: ['Hello'],
          wordStartTimeSeconds: [0],
          wordEndTimeSeconds: [0.4],
          phoneticDetails: { wordIndex: 'none' },
        },
      },
    })
    const { timestamps } = await client.synthesize({ ...request, timestampType: 'WORD' })
    expect(timestamps?.words).toEqual([{ text: 'Hello', startSeconds: 0, endSeconds: 0.4 }])
  })

  it('reads a count that is text', async () => {
    const usage = { processedCharactersCount: '5' }
    const { client } = await clientOf({ audioContent: audio.toString('base64'), usage })
    const result = await client.synthesize(request)
    expect(result.usage).toEqual({ processedCharactersCount: 5, modelId: undefined })
  })

  it.each([
    { usage: { processedCharactersCount: 'five' } },
    { timestampInfo: { wordAlignment: { words: ['Hello'], wordStartTimeSeconds: [null] } } },
  ])('returns the audio although other members are malformed: %j', async (odd) => {
    const { client } = await clientOf({ audioContent: audio.toString('base64'), ...odd })
    expect((await client.synthesize(request)).audio).toEqual(audio)
  })

  it.each([
    ['NO_AUDIO', 'a response without audio', {}],
    ['NO_AUDIO', 'a response with empty audio', { audioContent: '' }],
    ['BAD_RESPONSE', 'a response that is not JSON', '<html>'],
    ['BAD_RESPONSE', 'audio that is not text', { audioContent: [1] }],
    ['RESPONSE_TOO_LARGE', 'a response above the limit', { audioContent: 'A'.repeat(20_000) }],
  ])('throws %s for %s', async (code, _what, content) => {
    const { client } = await clientOf(content)
    await expect(client.synthesize(request)).rejects.toMatchObject({ name: 'ProtocolError', code })
  })
})
