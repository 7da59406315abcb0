import { type Client, createClient, type OpenAiSpeechRequest } from '@parlando/core'
import { completeFile, createDurationMeter } from '@parlando/core/audio'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { clearOggSerials } from '@parlando/test-support/audio/encode'
import { readWav } from '@parlando/test-support/audio/read-wav'
import { keys } from '@parlando/test-support/secrets/keys'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apiKey = keys.service
const speech = {
  input: 'The laundry is done, and the dishes are clean. Good night!',
  voice: 'Clara',
  model: 'svc-tts-2',
}
const formats = [
  { format: 'mp3', mediaType: 'audio/mpeg', encoding: 'MP3' },
  { format: 'opus', mediaType: 'audio/ogg', encoding: 'OGG_OPUS' },
  { format: 'flac', mediaType: 'audio/flac', encoding: 'FLAC' },
  { format: 'wav', mediaType: 'audio/wav', encoding: 'WAV' },
  { format: 'pcm', mediaType: 'audio/pcm', encoding: 'PCM' },
] as const

let service: ChildService
let client: Client
let openai: OpenAI
beforeAll(async () => {
  service = await startLocalServiceProcess({ apiKey, warmUp: false })
  client = createClient({ baseUrl: service.baseUrl, apiKey })
  openai = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 })
})
afterAll(async () => {
  await client.close()
  await service.close()
})

async function bytesOf(request: OpenAiSpeechRequest) {
  const stream = client.synthesizeOpenAi(request)
  const pieces: Uint8Array[] = []
  for await (const bytes of stream) pieces.push(bytes)
  return { mediaType: stream.mediaType, audio: Buffer.concat(pieces) }
}

describe('speech in the OpenAI format', () => {
  it.each(formats)('is $format, by both clients', async ({ format, mediaType, encoding }) => {
    const ours = await bytesOf({ ...speech, response_format: format })
    expect(ours.mediaType).toBe(mediaType)
    const response = await openai.audio.speech.create({ ...speech, response_format: format })
    expect(response.headers.get('content-type')).toBe(mediaType)
    const theirs = new Uint8Array(await response.arrayBuffer())
    expect(clearOggSerials(theirs).equals(clearOggSerials(ours.audio))).toBe(true)

    const meter = createDurationMeter(encoding, 24_000)
    meter.push(ours.audio)
    expect(meter.seconds).toBeGreaterThan(3)
    expect(meter.seconds).toBeLessThan(7)
    if (format !== 'wav') return
    expect(readWav(ours.audio)).toMatchObject({ sampleRateHertz: 24_000 })
    expect(readWav(ours.audio).loudness).toBeGreaterThan(0.03)
  })

  it('is mp3 by default, with the same audio as the endpoint for speech', async () => {
    const { mediaType, audio } = await bytesOf(speech)
    const { input: text, voice: voiceId, model: modelId } = speech
    const own = await client.synthesize({
      text,
      voiceId,
      modelId,
      audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 24_000 },
    })
    expect(mediaType).toBe('audio/mpeg')
    // The whole file also states its length.
    expect(Buffer.from(completeFile('MP3', audio)).equals(own.audio)).toBe(true)
  })

  it('is streamed during synthesis, which stops when the client disconnects', async () => {
    const input = 'This sentence goes on and on, and so does the next one. '.repeat(70)
    for (let round = 0; round < 5; round++) {
      for await (const bytes of client.synthesizeOpenAi({ ...speech, input })) {
        // The whole text takes four minutes of speech: about four million bytes.
        expect(bytes.length).toBeLessThan(200_000)
        break
      }
    }
    expect((await bytesOf({ ...speech, input: 'Still here.' })).audio.length).toBeGreaterThan(5000)
  })

  it('is sent as events if the client asks for them, also for a voice as an object', async () => {
    const asking = { ...speech, voice: { id: speech.voice }, stream_format: 'sse' as const }
    const text = await (await openai.audio.speech.create(asking)).text()
    expect(text).toMatch(/^data: \{"type":"speech\.audio\.delta","audio":"/)
    expect(text).toMatch(/data: \{"type":"speech\.audio\.done","usage":\{.*\}\}\n\n$/)
  })

  it('is rejected without another attempt if the service does not support it', async () => {
    const sent: unknown[] = []
    const retrying = openai.withOptions({
      maxRetries: 2,
      fetch: (...request) => {
        sent.push(request)
        return fetch(...request)
      },
    })
    const asking = retrying.audio.speech.create({ ...speech, response_format: 'aac' })
    await expect(asking).rejects.toMatchObject({ status: 400, code: 'unimplemented' })
    expect(sent.length).toBe(1)
  })

  it.each([
    [{ voice: 'Nobody' }, 404, /^404 Unknown voice: Nobody.*Clara/],
    [{ model: 'eleven' }, 400, /Unknown model: eleven.*svc-tts-2/],
    [{ input: ' ' }, 400, /input must contain text to speak/],
    [{ input: 'word '.repeat(820) }, 400, /input: 4100 characters.*4096/],
    [{ input: 'Привет' }, 400, /cannot say/],
    [
      { response_format: 'aac' as const },
      400,
      /response_format: this service does not support aac.*mp3/,
    ],
    [{ speed: 4 }, 400, /speed/],
    [{ speed: 0.25 }, 400, /speed/],
    [{ instructions: 'Whisper' }, 400, /instruction/],
  ])('is rejected with a clear error: %o', async (change, status, message) => {
    const asking = openai.audio.speech.create({ ...speech, ...change })
    await expect(asking).rejects.toMatchObject({
      status,
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
    })
  })
})
