import { createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { keys } from '@parlando/test-support/secrets/keys'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apiKey = keys.service
const model = 'pocketsphinx/en-us'

/** The decoders have tests of their own. */
const formats = ['wav', 'opus', 'mp3', 'flac'] as const

describe('a transcription by the openai package', needsRecogniser(), () => {
  let service: ChildService
  let openai: OpenAI
  beforeAll(async () => {
    service = await startLocalServiceProcess({ apiKey, warmUp: false })
    openai = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 })
  })
  afterAll(() => service.close())

  const speak = async (format: (typeof formats)[number] = 'wav') => {
    const input = 'The coffee is ready.'
    const voice = 'Clara'
    const spoken = await openai.audio.speech.create({
      model: 'svc-tts-2',
      input,
      voice,
      response_format: format,
    })
    return toFile(Buffer.from(await spoken.arrayBuffer()), `speech.${format}`)
  }

  it.each(casesToRun(formats, 1))('understands %s', async (format) => {
    const { text } = await openai.audio.transcriptions.create({ model, file: await speak(format) })
    expect(text).toMatch(/coffee is ready/)
  })

  it.each(casesToRun(['srt', 'text', 'vtt'] as const, 1))('returns %s', async (format) => {
    const request = { model: 'whisper-1', file: await speak(), response_format: format }
    const text = (await openai.audio.transcriptions.create(request)) as unknown as string
    expect(text).toMatch(/coffee is ready/)
    if (format !== 'text') expect(text).toMatch(/00:00:0\d[,.]\d{3} --> 00:00:0\d[,.]\d{3}\n/)
  })

  it('returns words and segments with times', async () => {
    const granularities: ('word' | 'segment')[] = ['word', 'segment']
    const { words, segments, duration } = await openai.audio.transcriptions.create({
      model,
      file: await speak(),
      response_format: 'verbose_json' as const,
      timestamp_granularities: granularities,
    })
    const coffee = words!.find(({ word }) => word === 'coffee')!
    expect(coffee.start).toBeGreaterThan(0.05)
    expect(coffee.end).toBeLessThan(Number(duration))
    expect(segments!.map(({ text }) => text).join(' ')).toMatch(/coffee is ready/)
    for (const segment of segments!) {
      expect(segment).toMatchObject({ tokens: [], temperature: 0, no_speech_prob: 0 })
      expect(segment.seek).toBe(Math.round(segment.start * 100))
      expect(segment.avg_logprob).toBeLessThanOrEqual(0)
      expect(segment.compression_ratio).toBeGreaterThan(0)
    }
  })

  it('streams the text', async () => {
    const request = { model, file: await speak(), stream: true as const }
    const events = []
    for await (const event of await openai.audio.transcriptions.create(request)) events.push(event)
    const deltas = events.flatMap((event) => ('delta' in event ? event.delta : []))
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: deltas.join('') })
    expect(deltas.join('')).toMatch(/coffee is ready/)
  })

  it('fails with the reason', async () => {
    const file = await toFile(Buffer.from('no audio'), 'speech.wav')
    const transcribed = openai.audio.transcriptions.create({ model, file })
    await expect(transcribed).rejects.toThrow('400 file: the audio is not a WAV')
  })

  it('equals that of the client of this package', async () => {
    const client = createClient({ baseUrl: service.baseUrl, apiKey })
    const file = await speak()
    const audio = new Uint8Array(await file.arrayBuffer())
    const { text } = await client.transcribe({ audio, modelId: model })
    expect(text).toBe((await openai.audio.transcriptions.create({ model, file })).text)
    await client.close()
  })
})
