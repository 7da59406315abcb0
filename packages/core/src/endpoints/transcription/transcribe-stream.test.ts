import {
  collect,
  final,
  pcm,
  receivedAudio,
  responding,
  startTranscription,
  usage,
} from '@parlando/test-support/servers/transcription-server'
import { describe, expect, it } from 'vitest'

describe('transcribeStream', () => {
  it('sends the config first, then audio and the end, in the order of the calls', async () => {
    const { server, client } = await startTranscription(responding(final, usage))
    const stream = client.transcribeStream()
    const audio = pcm(1000)
    stream.write(audio)
    stream.endTurn()
    await stream.write(audio)
    stream.end()
    expect(await collect(stream)).toEqual([
      { type: 'final', text: 'lights on' },
      { type: 'usage', transcribedAudioMs: 1000, modelId: 'm' },
    ])
    const content = audio.toString('base64')
    const [socket] = server.sockets
    expect(socket?.url).toBe('/stt/v1/transcribe:streamBidirectional')
    expect(socket?.messages).toEqual([
      {
        transcribeConfig: {
          audioEncoding: 'LINEAR16',
          sampleRateHertz: 16_000,
          numberOfChannels: 1,
        },
      },
      { audioChunk: { content } },
      { endTurn: {} },
      { audioChunk: { content } },
      { closeStream: {} },
    ])
    expect(stream.requestId).toBe(socket?.headers['x-request-id'])
  })

  it('sends all settings', async () => {
    const { server, client } = await startTranscription(responding())
    const stream = client.transcribeStream({
      modelId: 'pocketsphinx/en-us',
      language: 'en-US',
      sampleRateHertz: 48_000,
      wordTimestamps: true,
      prompts: ['Zoë'],
      sentences: ['lights on'],
      endOfTurn: { silenceMs: 700, confidentSilenceMs: 200, vadThreshold: 0.4 },
      inactivityTimeoutSeconds: 60,
    })
    stream.end()
    await collect(stream)
    expect(server.sockets[0]?.messages[0]).toEqual({
      transcribeConfig: {
        modelId: 'pocketsphinx/en-us',
        language: 'en-US',
        audioEncoding: 'LINEAR16',
        sampleRateHertz: 48_000,
        numberOfChannels: 1,
        includeWordTimestamps: true,
        prompts: ['Zoë'],
        sentences: ['lights on'],
        maxTurnSilence: 700,
        minEndOfTurnSilenceWhenConfident: 200,
        vadThreshold: 0.4,
        inactivityTimeoutSeconds: 60,
      },
    })
  })

  it('returns every kind of event', async () => {
    const wordTimestamps = [{ word: 'lights', startTimeMs: 120, endTimeMs: 480, confidence: 0.8 }]
    const sentenceMatch = { sentence: 'lights on', nearest: [] }
    const { client } = await startTranscription(
      responding(
        { result: { speechStarted: { startTimeMs: 120, confidence: 0.9 } } },
        { result: { transcription: { transcript: 'light', isFinal: false } } },
        {
          result: {
            transcription: {
              transcript: 'lights on',
              isFinal: true,
              confidence: 0.7,
              language: 'en-US',
              wordTimestamps,
              sentenceMatch,
              silenceDurationMs: 500,
            },
            speechStopped: { silenceDurationMs: 500 },
          },
        },
        { result: { speechStarted: {} } },
        { result: { transcription: { isFinal: true } } },
        { result: { moodDetected: { mood: 'calm' } } },
        { keepAlive: {} },
        usage,
      ),
    )
    const stream = client.transcribeStream()
    stream.end()
    expect(await collect(stream)).toEqual([
      { type: 'speechStarted', startMs: 120 },
      { type: 'interim', text: 'light' },
      {
        type: 'final',
        text: 'lights on',
        confidence: 0.7,
        language: 'en-US',
        words: [{ text: 'lights', startSeconds: 0.12, endSeconds: 0.48, confidence: 0.8 }],
        sentenceMatch,
      },
      { type: 'speechStopped', silenceMs: 500 },
      { type: 'speechStarted', startMs: 0 },
      { type: 'final', text: '' },
      { type: 'unknown', result: { moodDetected: { mood: 'calm' } } },
      { type: 'unknown', result: { keepAlive: {} } },
      { type: 'usage', transcribedAudioMs: 1000, modelId: 'm' },
    ])
  })

  it('sends audio in messages of at most 32 KiB, and keeps samples whole', async () => {
    const { server, client } = await startTranscription(responding())
    const stream = client.transcribeStream()
    const audio = pcm(100_001)
    const cuts = [0, 1, 2, 2, 1005, 100_000, 100_001]
    for (const [index, end] of cuts.slice(1).entries()) {
      const piece = Uint8Array.from(audio.subarray(cuts[index], end))
      const written = stream.write(piece)
      // The caller may reuse its memory at once.
      piece.fill(0)
      await written
    }
    stream.end()
    await collect(stream)
    const [socket] = server.sockets
    expect(receivedAudio(socket!).equals(audio.subarray(0, 100_000))).toBe(true)
    const sizes = socket!.messages.map((message) => JSON.stringify(message).length)
    expect(Math.max(...sizes)).toBeLessThan(44_000)
  })

  it('can be read once', async () => {
    const { client } = await startTranscription(responding())
    const stream = client.transcribeStream()
    stream.end()
    await collect(stream)
    await expect(collect(stream)).rejects.toThrow('can be consumed once')
  })

  it.each([
    ['a misspelt setting', { endOfTurn: { silence: 3 } }, 'did you mean silenceMs?'],
    [
      'a silence',
      { endOfTurn: { silenceMs: 1 } },
      'endOfTurn.silenceMs must be between 20 and 5000',
    ],
    ['a rate', { sampleRateHertz: 1 }, 'sampleRateHertz must be between 8000 and 48000'],
  ])('rejects a config at once: %s', async (_what, config, message) => {
    const { server, client } = await startTranscription({})
    expect(() => client.transcribeStream(config as object)).toThrow(message)
    expect(server.handshakes()).toBe(0)
  })

  it('rejects a write that is not bytes, and a write after the end', async () => {
    const { client } = await startTranscription(responding())
    const stream = client.transcribeStream()
    await expect(stream.write('audio' as never)).rejects.toThrow('write takes bytes')
    stream.end()
    stream.end()
    stream.endTurn()
    await expect(stream.write(pcm(2))).rejects.toThrow('write was called after end')
    await collect(stream)
    await expect(stream.write(pcm(2))).rejects.toThrow('the stream has ended')
  })
})
