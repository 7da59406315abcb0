import { runInNewContext } from 'node:vm'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { writeWavHeader } from '../../audio/wav.ts'
import { createClient } from '../../client.ts'

const recording = wavFile(8)
const request = { displayName: 'Me', langCode: 'EN_US', samples: [recording] }
const voice = { voiceId: 'workspace__me', displayName: 'Me', source: 'IVC' }

function wavFile(seconds: number): Buffer {
  const dataBytes = seconds * 16000
  const header = writeWavHeader({ sampleRateHertz: 8000, dataBytes })
  return Buffer.concat([header, Buffer.alloc(dataBytes, 1)])
}

async function clientOf(body: object, status = 200) {
  const server = await startTestServer((response) => {
    response.writeHead(status).end(JSON.stringify(body))
  })
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

describe('cloneVoice', () => {
  it('sends the recordings in base64 and returns the voice', async () => {
    const { server, client } = await clientOf({ voice })
    expect(await client.cloneVoice(request)).toEqual({
      voice,
      warnings: [],
      errors: [],
      requestId: server.requests[0]?.headers['x-request-id'],
    })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/voices/v1/voices:clone' })
    expect(server.requests[0]?.body).toEqual({
      displayName: 'Me',
      langCode: 'EN_US',
      voiceSamples: [{ audioData: recording.toString('base64') }],
    })
  })

  it('sends all fields, and samples given as bytes or as objects', async () => {
    const { server, client } = await clientOf({ voice })
    const audio = new Uint8Array(wavFile(6))
    await client.cloneVoice({
      displayName: 'Me',
      langCode: 'AUTO',
      samples: [recording, { audio, transcription: 'Hello' }],
      removeBackgroundNoise: true,
      keepRecording: true,
      description: 'My own',
      tags: ['calm'],
    })
    expect(server.requests[0]?.body).toEqual({
      displayName: 'Me',
      langCode: 'AUTO',
      voiceSamples: [
        { audioData: recording.toString('base64') },
        { audioData: Buffer.from(audio).toString('base64'), transcription: 'Hello' },
      ],
      audioProcessingConfig: { removeBackgroundNoise: true },
      keepRecording: true,
      description: 'My own',
      tags: ['calm'],
    })
  })

  it('does not send the field for recordings to services that may not know it', async () => {
    const { server, client } = await clientOf({ voice })
    await client.cloneVoice({ ...request, keepRecording: false })
    expect(server.requests[0]?.body).not.toHaveProperty('keepRecording')
  })

  it('accepts bytes of another realm and views of larger memory', async () => {
    const { server, client } = await clientOf({ voice })
    const foreign: Uint8Array = runInNewContext('new Uint8Array(bytes)', { bytes: [...recording] })
    expect(foreign).not.toBeInstanceOf(Uint8Array)
    const view = Buffer.concat([Buffer.alloc(3), recording, Buffer.alloc(3)]).subarray(3, -3)
    await client.cloneVoice({ ...request, samples: [foreign, view] })
    const audioData = recording.toString('base64')
    expect(server.requests[0]?.body).toMatchObject({ voiceSamples: [{ audioData }, { audioData }] })
  })

  it('returns its own warnings and those of the service, each with its sample', async () => {
    const { client } = await clientOf({
      voice,
      audioSamplesValidated: [
        { warnings: [{ text: 'noisy' }], errors: [], audioData: 'UklGRg==' },
        { langCode: 'EN_US', warnings: null, errors: [{ text: 'two speakers' }, { text: '' }, {}] },
      ],
    })
    const clone = await client.cloneVoice({ ...request, samples: [recording, wavFile(2)] })
    expect(clone).toMatchObject({
      warnings: [
        { sample: 1, text: 'noisy' },
        {
          sample: 2,
          code: 'too-short',
          text: expect.stringMatching(/^The sample is 2 s long; 5 to 15 s/),
        },
      ],
      errors: [{ sample: 2, text: 'two speakers' }],
    })
    expect(JSON.stringify(clone)).not.toContain('UklGRg')
  })

  it.each([
    ['a warning with the same code', { code: 'too-short', text: 'Too short' }, ['Too short']],
    ['a warning without a code', { text: 'Only 2 s of speech' }, ['Only 2 s of speech']],
    [
      'a warning with another code',
      { code: 'noisy', text: 'Noisy' },
      [expect.stringMatching(/^The sample is 2 s long/), 'Noisy'],
    ],
  ])('returns one warning per fact if the service sends %s', async (_what, warning, texts) => {
    const { client } = await clientOf({
      voice,
      audioSamplesValidated: [{ warnings: [warning] }],
    })
    const { warnings } = await client.cloneVoice({ ...request, samples: [wavFile(2)] })
    expect(warnings.map(({ text }) => text)).toEqual(texts)
  })

  it('accepts a response that repeats all samples, but not a much larger one', async () => {
    const file = wavFile(6)
    const samples = [file, file, file]
    const audioData = file.toString('base64')
    const body = { voice, audioSamplesValidated: samples.map(() => ({ audioData })) }
    const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
    const client = createClient({ baseUrl: server.baseUrl, maxResponseBytes: 1000 })
    expect(await client.cloneVoice({ ...request, samples })).toMatchObject({ voice })
    await expect(client.cloneVoice(request)).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
    })
  })

  it('returns the voice even if the remarks are malformed', async () => {
    const { client } = await clientOf({
      voice,
      audioSamplesValidated: [{ warnings: 'many' }],
    })
    expect(await client.cloneVoice(request)).toMatchObject({ voice, warnings: [], errors: [] })
  })

  it.each([{}, { voice: null }, { voice: { displayName: 'Nobody' } }])(
    'rejects the response %j',
    async (body) => {
      const { client } = await clientOf(body)
      await expect(client.cloneVoice(request)).rejects.toMatchObject({ code: 'BAD_RESPONSE' })
    },
  )
})

describe('a clone request that is not valid', () => {
  it('is rejected with the position of every unusable sample, and nothing is sent', async () => {
    const { server, client } = await clientOf({ voice })
    const samples = [
      recording,
      new Uint8Array(),
      { audio: Buffer.from('OggS') },
      Buffer.alloc(4 * 1024 * 1024 + 1),
    ]
    const cloning = client.cloneVoice({ ...request, samples })
    await expect(cloning).rejects.toMatchObject({ name: 'InputError', code: 'INVALID_INPUT' })
    await expect(cloning).rejects.toThrow(
      /sample 2 of 4 is empty; sample 3 of 4 is not a WAV.*; sample 4 of 4 has 4194305 bytes/,
    )
    expect(server.requests).toEqual([])
  })

  it.each([
    ['no recording', { samples: [] }, /samples must contain at least one recording/],
    ['a path', { samples: ['me.wav'] }, /samples\.0 must be the bytes of a file/],
    ['an empty object', { samples: [recording, {}] }, /samples\.1 must be the bytes of a file/],
    ['no name', { displayName: ' ' }, /displayName must not be empty/],
    [
      'a language code in lower case',
      { langCode: 'en-US' },
      /langCode must be a code such as EN_US/,
    ],
    ['a misspelt option', { removeNoise: true }, /removeNoise/],
  ])('is rejected with the reason: %s', async (_what, wrong, message) => {
    const { server, client } = await clientOf({ voice })
    const cloning = client.cloneVoice({ ...request, ...wrong } as typeof request)
    await expect(cloning).rejects.toThrow(message)
    await expect(cloning).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(server.requests).toEqual([])
  })
})

it('a clone that the service may have received is not retried', async () => {
  const { server, client } = await clientOf({ message: 'busy' }, 503)
  await expect(client.cloneVoice(request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(server.requests).toHaveLength(1)
  const cutting = await startTestServer((response) => void response.destroy())
  const { baseUrl } = cutting
  const cloning = createClient({ baseUrl }).cloneVoice(request)
  await expect(cloning).rejects.toMatchObject({ name: 'ConnectionError' })
  expect(cutting.requests).toHaveLength(1)
})

it('an abort of a clone rejects with the reason of the signal', async () => {
  const server = await startTestServer(() => {})
  const client = createClient({ baseUrl: server.baseUrl })
  const signal = AbortSignal.timeout(50)
  await expect(client.cloneVoice(request, { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
    code: DOMException.TIMEOUT_ERR,
  })
})
