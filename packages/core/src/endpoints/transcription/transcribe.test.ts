import { failureOf } from '@parlando/test-support/servers/client-failure'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { writeWavHeader } from '../../audio/wav.ts'
import { createClient } from '../../client.ts'

const recording = wavFile(2)

function wavFile(seconds: number): Buffer {
  const dataBytes = seconds * 32_000
  const header = writeWavHeader({ sampleRateHertz: 16_000, dataBytes })
  const samples = Buffer.from(Array.from({ length: dataBytes }, (_, index) => index % 251))
  return Buffer.concat([header, samples])
}

async function clientOf(body: object, status = 200) {
  const server = await startTestServer((response) => {
    response.writeHead(status).end(JSON.stringify(body))
  })
  return { server, client: createClient({ baseUrl: server.baseUrl, maxRetries: 0 }) }
}

async function* chunksOf(bytes: Uint8Array, sizeBytes: number) {
  for (let at = 0; at < bytes.length; at += sizeBytes) yield bytes.subarray(at, at + sizeBytes)
}

const response = { transcription: { transcript: 'The laundry is done.' } }

describe('transcribe', () => {
  it('sends the recording in base64 and returns the text', async () => {
    const { server, client } = await clientOf(response)
    expect(await client.transcribe({ audio: recording })).toEqual({
      text: 'The laundry is done.',
      requestId: server.requests[0]?.headers['x-request-id'],
    })
    expect(server.requests).toMatchObject([{ method: 'POST', url: '/stt/v1/transcribe' }])
    expect(server.requests[0]?.body).toEqual({
      transcribeConfig: { audioEncoding: 'AUTO_DETECT' },
      audioData: { content: recording.toString('base64') },
    })
  })

  it.each([49_151, 49_152, 49_153, 98_305, 128_044])(
    'encodes a recording of %i bytes',
    async (sizeBytes) => {
      const { server, client } = await clientOf(response)
      const audio = wavFile(4).subarray(0, sizeBytes)
      await client.transcribe({ audio: new Uint8Array(audio) })
      expect(server.requests[0]?.body).toMatchObject({
        audioData: { content: audio.toString('base64') },
      })
    },
  )

  it('sends all settings', async () => {
    const { server, client } = await clientOf(response)
    await client.transcribe({
      audio: recording,
      modelId: 'pocketsphinx/en-us',
      language: 'en-GB',
      wordTimestamps: true,
      prompts: ['Zoë "Z" Müller'],
      sentences: ['lights on', 'lights off'],
    })
    expect(server.requests[0]?.body).toMatchObject({
      transcribeConfig: {
        modelId: 'pocketsphinx/en-us',
        audioEncoding: 'AUTO_DETECT',
        language: 'en-GB',
        includeWordTimestamps: true,
        prompts: ['Zoë "Z" Müller'],
        sentences: ['lights on', 'lights off'],
      },
    })
  })

  it('returns everything that the service sends', async () => {
    const { client } = await clientOf({
      transcription: {
        transcript: 'lights on',
        isFinal: true,
        language: 'en-US',
        confidence: 0.9,
        wordTimestamps: [
          { word: 'lights', startTimeMs: 120, endTimeMs: 480, confidence: 0.8 },
          { word: 'on', startTimeMs: 480, endTimeMs: 700 },
        ],
        sentenceMatch: { sentence: null, nearest: ['lights on', 'lights off'], reason: 'noise' },
      },
      usage: { transcribedAudioMs: 2000, modelId: 'pocketsphinx/en-us' },
      voiceProfile: {},
    })
    expect(await client.transcribe({ audio: recording })).toEqual({
      text: 'lights on',
      language: 'en-US',
      confidence: 0.9,
      words: [
        { text: 'lights', startSeconds: 0.12, endSeconds: 0.48, confidence: 0.8 },
        { text: 'on', startSeconds: 0.48, endSeconds: 0.7 },
      ],
      sentenceMatch: { sentence: null, nearest: ['lights on', 'lights off'], reason: 'noise' },
      durationSeconds: 2,
      modelId: 'pocketsphinx/en-us',
      usage: { transcribedAudioMs: 2000, modelId: 'pocketsphinx/en-us' },
      requestId: expect.any(String),
    })
  })

  it('returns an empty text for a recording without speech', async () => {
    const { client } = await clientOf({ transcription: {} })
    expect(await client.transcribe({ audio: recording })).toMatchObject({ text: '' })
  })

  it.each([{}, { transcription: 'hello' }, { transcription: { transcript: 7 } }])(
    'rejects the response %j',
    async (body) => {
      const { client } = await clientOf(body)
      const error = await failureOf(client.transcribe({ audio: recording }))
      expect(error).toMatchObject({ code: 'BAD_RESPONSE' })
    },
  )

  it('retries a request that the service could not process', async () => {
    let attempts = 0
    const server = await startTestServer((sent) => {
      attempts += 1
      if (attempts === 1) sent.writeHead(503, { 'retry-after': '0' }).end('{}')
      else sent.end(JSON.stringify(response))
    })
    const client = createClient({ baseUrl: server.baseUrl })
    expect(await client.transcribe({ audio: recording })).toMatchObject({
      text: 'The laundry is done.',
    })
    expect(server.requests[0]?.body).toEqual(server.requests[1]?.body)
  })
})

describe('a recording in chunks', () => {
  it.each([1000, 7, 1_000_000])('is collected: %i bytes at a time', async (sizeBytes) => {
    const { server, client } = await clientOf(response)
    await client.transcribe({ audio: chunksOf(recording, sizeBytes) })
    expect(server.requests[0]?.body).toMatchObject({
      audioData: { content: recording.toString('base64') },
    })
  })

  it('is read no further than the limit of an upload', async () => {
    const { server, client } = await clientOf(response)
    let readBytes = 0
    let isClosed = false
    async function* endless() {
      try {
        for (;;) {
          readBytes += 1024 * 1024
          yield Buffer.alloc(1024 * 1024)
        }
      } finally {
        isClosed = true
      }
    }
    const error = await failureOf(client.transcribe({ audio: endless() }))
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('audio is larger than the limit of 26214400 bytes'),
    })
    expect(readBytes).toBe(26 * 1024 * 1024)
    expect(isClosed).toBe(true)
    expect(server.requests).toEqual([])
  })

  it('fails with the error of the iterable', async () => {
    const { client } = await clientOf(response)
    const unplugged = new Error('unplugged')
    async function* broken() {
      yield recording
      throw unplugged
    }
    await expect(client.transcribe({ audio: broken() })).rejects.toBe(unplugged)
  })

  it('is rejected if a chunk is text', async () => {
    const { client } = await clientOf(response)
    async function* texts() {
      yield 'RIFF' as never
    }
    const error = await failureOf(client.transcribe({ audio: texts() }))
    expect(error.message).toBe('Transcription request not valid: the chunks of audio must be bytes')
  })

  it('that never arrives does not keep an abort or a time limit waiting', async () => {
    const { client } = await clientOf(response)
    async function* silent() {
      yield recording
      await new Promise(() => {})
    }
    const aborting = new AbortController()
    const waiting = client.transcribe({ audio: silent() }, { signal: aborting.signal })
    aborting.abort('enough')
    await expect(waiting).rejects.toBe('enough')
    await expect(client.transcribe({ audio: silent() }, { signal: aborting.signal })).rejects.toBe(
      'enough',
    )
    const late = await failureOf(client.transcribe({ audio: silent() }, { timeoutMs: 20 }))
    expect(late).toMatchObject({ code: 'TIMEOUT', phase: 'total', timeoutMs: 20 })
  })
})

describe('a transcription request that is not valid', () => {
  it.each([
    ['no audio', { audio: undefined }, 'audio must be the bytes of a file'],
    ['a path', { audio: 'me.wav' }, 'audio must be the bytes of a file, or an async iterable'],
    ['an empty recording', { audio: new Uint8Array() }, 'audio is empty'],
    ['M4A', { audio: Buffer.from('\0\0\0\x20ftypM4A ') }, 'audio is AAC (M4A)'],
    ['text', { audio: Buffer.from('hello') }, 'audio is not a WAV, MP3, Ogg Opus'],
    ['a misspelt setting', { wordTimes: true }, 'wordTimes is not a known field'],
    ['no sentences', { sentences: [] }, 'sentences must contain at least one sentence'],
  ])('is rejected with the reason before any I/O: %s', async (_what, wrong, message) => {
    const { server, client } = await clientOf(response)
    const request = { audio: recording, ...wrong } as { audio: Buffer }
    const error = await failureOf(client.transcribe(request))
    expect(error).toMatchObject({ name: 'InputError', code: 'INVALID_INPUT' })
    expect(error.message).toContain(`Transcription request not valid: ${message}`)
    expect(server.requests).toEqual([])
  })
})

it('a service without a recogniser explains how to install one', async () => {
  const message = 'Transcription needs a recogniser: sudo apt install pocketsphinx'
  const { client } = await clientOf({ code: 12, message }, 501)
  const error = await failureOf(client.transcribe({ audio: recording }))
  expect(error).toMatchObject({ code: 'UNIMPLEMENTED', retryable: false })
  expect(error.message).toContain(message)
})

it('an abort of a transcription closes the connection', async () => {
  const server = await startTestServer(() => {})
  const client = createClient({ baseUrl: server.baseUrl })
  const aborting = new AbortController()
  const transcribing = client.transcribe({ audio: recording }, { signal: aborting.signal })
  await vi.waitFor(() => expect(server.requests).toHaveLength(1))
  aborting.abort('enough')
  await expect(transcribing).rejects.toBe('enough')
  await vi.waitFor(() => expect(server.openSockets()).toBe(0))
})
