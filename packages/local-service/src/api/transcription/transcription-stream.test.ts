import {
  chunk,
  chunks,
  closeStream,
  config,
  endTurn,
  manual,
  silence,
  summary,
  useTestTranscription,
  voice,
} from '@parlando/test-support/local-service/clients/transcription-stream'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it } from 'vitest'

const service = useTestTranscription()

describe('a stream', () => {
  it('reports the start, the interim texts, the end and the final text of each turn, and the usage last', async () => {
    const client = await service.connect()
    client.send(
      config,
      ...chunks(silence(1000), voice(1000), silence(1000), voice(600)),
      closeStream,
    )
    expect(await client.closed).toBe(1000)
    expect(summary(client)).toEqual([
      'speechStarted',
      'speechStopped',
      expect.stringMatching(/^final (1[89]|20)\d\d ms$/),
      'speechStarted',
      'speechStopped',
      expect.stringMatching(/^final 1[56]\d\d ms$/),
      'usage',
    ])
    expect(client.received[0]).toEqual({ result: { speechStarted: { startTimeMs: 600 } } })
    expect(client.received[1]).toEqual({
      result: { transcription: { transcript: expect.any(String), isFinal: false } },
    })
    expect(client.received.at(-1)).toEqual({
      result: { usage: { transcribedAudioMs: 3600, modelId: 'fake/model' } },
    })
    expect(service.recogniser.running).toBe(0)
  })

  it('accepts names in snake_case and cuts at any byte', async () => {
    const client = await service.connect()
    const bytes = Buffer.from(voice(500).buffer)
    client.send({ transcribe_config: { vad_threshold: 0, sample_rate_hertz: 16_000 } })
    for (let start = 0; start < bytes.length; start += 777) {
      const content = bytes.subarray(start, start + 777).toString('base64')
      client.send({ audio_chunk: { content } })
    }
    client.send({ close_stream: {} })
    await client.closed
    expect(summary(client)).toEqual(['final 1160 ms', 'usage'])
  })

  it('passes the settings to the recogniser, and the words and the match to the client', async () => {
    const words = [{ text: 'hello', startSeconds: 0.1, endSeconds: 0.4, confidence: 0.9 }]
    const sentenceMatch = { sentence: 'hello', nearest: [] }
    const facts = { confidence: 0.8, language: 'en' }
    service.recogniser.utterance = { text: 'hello', ...facts, words, sentenceMatch }
    const client = await service.connect()
    const settings = { language: 'en-GB', prompts: ['Clara'], sentences: ['hello'] }
    client.send({ transcribeConfig: { ...settings, includeWordTimestamps: true } })
    client.send(...chunks(silence(1000), voice(1000)), closeStream)
    await client.closed
    expect(service.recogniser.requests).toMatchObject([
      { ...settings, modelId: 'fake/model', withWords: true },
    ])
    expect(client.received.at(-2)).toEqual({
      result: {
        transcription: {
          transcript: 'hello',
          isFinal: true,
          silenceDurationMs: 0,
          ...facts,
          wordTimestamps: [{ word: 'hello', startTimeMs: 700, endTimeMs: 1000, confidence: 0.9 }],
          sentenceMatch,
        },
      },
    })
  })

  it.each([
    ['8 kHz', { sampleRateHertz: 8000 }, 2],
    ['48 kHz', { sampleRateHertz: 48_000 }, 1 / 3],
    ['two channels', { numberOfChannels: 2 }, 0.5],
  ])('converts %s', async (_name, format, factor) => {
    const client = await service.connect()
    client.send({ transcribeConfig: { vadThreshold: 0, ...format } })
    client.send(...chunks(silence(1200)), closeStream)
    await client.closed
    const [, ms] = /final ([\d.]+) ms/.exec(summary(client)[0]!)!
    expect(Number(ms) - 660).toBeCloseTo(1200 * factor, -1)
    expect(service.recogniser.requests).toHaveLength(1)
  })

  it('drops the headers of WAV files', async () => {
    const header = Buffer.alloc(44)
    header.write('RIFF')
    header.write('WAVEfmt ', 8)
    header.writeUInt32LE(16, 16)
    header.writeUInt16LE(1, 20)
    header.writeUInt16LE(1, 22)
    header.writeUInt32LE(16_000, 24)
    header.writeUInt16LE(16, 34)
    header.write('data', 36)
    const client = await service.connect()
    const file = chunk(Buffer.concat([header, Buffer.alloc(3200)]))
    client.send(manual, file, chunk(Buffer.alloc(3200)), file, closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 960 ms', 'usage'])
    const other = await service.connect()
    header.writeUInt32LE(44_100, 24)
    other.send(manual, chunk(header))
    expect(await other.closed).toBe(1008)
    expect(JSON.stringify(other.received)).toMatch(/WAV file with 44100 Hz.*without a header/)
  })

  it('without any audio ends with the usage', async () => {
    const client = await service.connect()
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
    expect(summary(client)).toEqual(['usage'])
  })

  it('with minutes of silence has no result', async () => {
    const minutes = isThoroughRun ? 10 : 2
    const client = await service.connect()
    client.send(config)
    const seconds = { audioChunk: { content: Buffer.alloc(20 * 32_000).toString('base64') } }
    for (let count = 0; count < minutes * 3; count++) client.send(seconds)
    client.send(closeStream)
    await client.closed
    expect(summary(client)).toEqual(['usage'])
  })
})

describe('endTurn', () => {
  it('ends a turn at once', async () => {
    const client = await service.connect()
    client.send(
      config,
      ...chunks(silence(500), voice(500)),
      endTurn,
      ...chunks(voice(500)),
      endTurn,
    )
    await expect.poll(() => summary(client)).toHaveLength(6)
    client.send(closeStream)
    await client.closed
    expect(summary(client).filter((name) => name.startsWith('final'))).toHaveLength(2)
  })

  it('without a turn has an empty final result', async () => {
    const client = await service.connect()
    client.send(config, ...chunks(silence(500)), endTurn, closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final ', 'usage'])
  })

  it('is the only end of a turn with a threshold of 0, within 30 s', async () => {
    const client = await service.connect()
    client.send(manual, ...chunks(silence(2000)), endTurn, ...chunks(silence(31_000)), closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 2660 ms', 'final 30660 ms', 'final 1660 ms', 'usage'])
  })
})
