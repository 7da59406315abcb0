import { type Client, createClient, type DebugEvent, type SpeechRequest } from '@parlando/core'
import { completeFile, createDurationMeter } from '@parlando/core/audio'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { readWav } from '@parlando/test-support/audio/read-wav'
import { keys } from '@parlando/test-support/secrets/keys'
import { saveRecord } from '@parlando/test-support/secrets/records'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apiKey = keys.service
const speech = {
  text: 'The laundry is done, and the dishes are clean. Good night!',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
}

let service: ChildService
let client: Client
beforeAll(async () => {
  service = await startLocalServiceProcess({ apiKey, warmUp: false })
  const debug = (event: DebugEvent) => saveRecord('debug events', JSON.stringify(event))
  client = createClient({ baseUrl: service.baseUrl, apiKey, debug })
})
afterAll(async () => {
  await client.close()
  await service.close()
})

async function streamed(request: SpeechRequest) {
  const stream = client.synthesizeStream(request)
  const chunks: Uint8Array[] = []
  for await (const { audio } of stream) chunks.push(audio)
  return { stream, chunks, audio: Buffer.concat(chunks) }
}

function secondsOf(request: SpeechRequest, audio: Uint8Array): number {
  const { audioEncoding = 'MP3', sampleRateHertz = 48000 } = request.audioConfig ?? {}
  const meter = createDurationMeter(audioEncoding, sampleRateHertz)
  meter.push(audio)
  return meter.seconds!
}

describe('core against the local service', () => {
  it('times the words of the text, also those that are said in another way', async () => {
    const pronouncing = createClient({
      baseUrl: service.baseUrl,
      apiKey,
      pronunciations: [
        { word: 'Xiaomi', sayAs: 'shau mee' },
        { word: 'St', sayAs: 'Street' },
      ],
    })
    const request = {
      ...speech,
      text: 'At 10:30, the "Xiaomi", 5 km from Main St, was XIAOMI\'s best.',
      timestampType: 'WORD',
    } as const
    try {
      const { timestamps } = await pronouncing.synthesize(request)
      const streamed = await pronouncing.synthesizeStream(request).collect()
      expect(timestamps!.words.map(({ text }) => text)).toEqual(request.text.split(' '))
      expect(streamed.timestamps).toEqual(timestamps)
    } finally {
      await pronouncing.close()
    }
  })

  const everyRate = [8000, 16000, 22050, 24000, 32000, 44100, 48000] as const
  const rates = isThoroughRun ? everyRate : ([8000, 48000] as const)
  const cases = (['MP3', 'PCM', 'WAV', 'LINEAR16'] as const).flatMap((audioEncoding) =>
    rates
      .filter((rate) => audioEncoding !== 'MP3' || rate !== 8000)
      .map((sampleRateHertz) => ({ ...speech, audioConfig: { audioEncoding, sampleRateHertz } })),
  )

  it('learns the version of the service', async () => {
    expect(await client.serviceVersion()).toMatch(/^\d+\.\d+\.\d+/)
  })

  it.each(cases)(
    'speaks $audioConfig.audioEncoding at $audioConfig.sampleRateHertz Hz, with the same audio streamed and whole',
    async (request) => {
      const whole = await client.synthesize(request)
      const { stream, chunks, audio } = await streamed(request)
      expect(chunks.length).toBeGreaterThan(3)
      expect(chunks.every((chunk) => chunk.length > 0)).toBe(true)
      const isWav = whole.mediaType === 'audio/wav'
      // The headers differ: a stream does not know its length.
      const sound = (bytes: Uint8Array) =>
        Buffer.from(isWav ? bytes.subarray(44) : completeFile(stream.encoding, bytes))
      expect(sound(audio).equals(sound(whole.audio))).toBe(true)
      if (isWav) {
        expect(readWav(audio)).toMatchObject({
          sampleRateHertz: request.audioConfig.sampleRateHertz,
        })
        expect(readWav(audio).loudness).toBeGreaterThan(0.03)
      }
      const seconds = secondsOf(request, audio)
      expect(seconds).toBeGreaterThan(3)
      expect(seconds).toBeLessThan(7)
      const usage = { processedCharactersCount: speech.text.length, modelId: speech.modelId }
      expect([stream.usage, whole.usage]).toEqual([usage, usage])
      expect(stream.firstAudioMs).toBeGreaterThan(0)
    },
  )

  it('sends the first line before the rest of its phrase is encoded', async () => {
    const text = 'A first phrase that is as long as any can be here'
    const linesIn = (read: string) => read.split('\n').length - 1
    const readLines = async () => {
      const response = await fetch(`${service.baseUrl}/tts/v1/voice:stream`, {
        method: 'POST',
        headers: { authorization: `Basic ${apiKey}` },
        body: JSON.stringify({ ...speech, text }),
      })
      const reads: string[] = []
      const body = response.body as unknown as AsyncIterable<Uint8Array>
      for await (const bytes of body) reads.push(Buffer.from(bytes).toString())
      expect(linesIn(reads.join(''))).toBeGreaterThan(8)
      return linesIn(reads[0]!)
    }
    // On a busy machine, one read can return all that the service has written meanwhile.
    let fewest = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 5 && fewest >= 4; attempt++) {
      fewest = Math.min(fewest, await readLines())
    }
    expect(fewest).toBeLessThan(4)
  })

  it('lists voices that all speak, with every model', async () => {
    const models = ['svc-tts-2', 'svc-tts-1.5-max', 'svc-tts-2-flash', 'svc-tts-1.5-mini']
    const { voices } = await client.listVoices({ languages: 'EN' })
    expect(voices.length).toBeGreaterThanOrEqual(4)
    for (const [index, { voiceId }] of voices.entries()) {
      for (const modelId of isThoroughRun ? models : [models[index % models.length]!]) {
        const { audio } = await streamed({ ...speech, voiceId, modelId, text: 'Hello there' })
        expect(audio.length).toBeGreaterThan(5000)
      }
    }
    expect((await client.listVoices({ languages: 'JA_JP' })).voices).toEqual([])
  })

  it('sends the same bytes to parallel listeners as to a single one', async () => {
    const texts = ['One is enough.', 'Two make a pair, as they say.', 'Three is a crowd in here.']
    const requests = texts.map((text) => ({ ...speech, text }))
    const sequential: Buffer[] = []
    for (const request of requests) sequential.push((await streamed(request)).audio)
    const parallel = await Promise.all([...requests, ...requests].map(streamed))
    for (const [index, { audio }] of parallel.entries()) {
      expect(audio.equals(sequential[index % texts.length]!)).toBe(true)
    }
  })

  it('serves others at once after a listener disconnects from a long text', async () => {
    const text = 'This sentence goes on and on, and so does the next one. '.repeat(1000)
    for (let round = 0; round < 5; round++) {
      for await (const _ of client.synthesizeStream({ ...speech, text })) break
    }
    const { audio } = await streamed({ ...speech, text: 'Still here.' })
    expect(audio.length).toBeGreaterThan(5000)
  })

  it.each([
    [{ voiceId: 'Nobody' }, 'NOT_FOUND', 404],
    [{ modelId: 'none' }, 'INVALID_ARGUMENT', 400],
    [{ text: 'Привет' }, 'INVALID_ARGUMENT', 400],
    [{ enhanceGeneration: true }, 'UNIMPLEMENTED', 501],
    [{ enableCustomPronunciation: true }, 'UNIMPLEMENTED', 501],
  ])('rejects %j as %s', async (change, code, status) => {
    const failure = { name: 'ApiError', code, status, retryable: false }
    await expect(client.synthesize({ ...speech, ...change })).rejects.toMatchObject(failure)
    await expect(streamed({ ...speech, ...change })).rejects.toMatchObject(failure)
  })

  it('rejects a wrong key', async () => {
    const unauthorized = createClient({ baseUrl: service.baseUrl, apiKey: keys.wrong })
    await expect(unauthorized.listVoices()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await unauthorized.close()
  })
})
