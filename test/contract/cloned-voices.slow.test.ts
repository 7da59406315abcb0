import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type SpeechRequest } from '@parlando/core'
import { readWavHeader } from '@parlando/core/audio'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { makeVoiceSample } from '@parlando/test-support/audio/speak'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const dataFolder = mkdtempSync(join(tmpdir(), 'parlando-voices-'))
const maxVoices = 3

let service: LocalService
let client: Client
async function start() {
  service = await startLocalService({ dataFolder, maxVoices, warmUp: false })
  client = createClient({ baseUrl: service.baseUrl })
}
async function stop() {
  await client.close()
  await service.close()
}

let recording: Uint8Array
beforeAll(async () => {
  await start()
  recording = await makeVoiceSample(client)
})
afterEach(async () => {
  for (const voiceId of await cloneIds()) await client.deleteVoice(voiceId)
})
afterAll(async () => {
  await stop()
  rmSync(dataFolder, { recursive: true })
})

async function clone(displayName: string, samples = [recording]) {
  return client.cloneVoice({ displayName, langCode: 'EN_US', samples })
}

async function streamed(request: SpeechRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const { audio } of client.synthesizeStream(request)) chunks.push(audio)
  return Buffer.concat(chunks)
}

async function cloneIds(): Promise<string[]> {
  const { voices } = await client.listVoices({ filter: 'source = "IVC"' })
  return voices.map(({ voiceId }) => voiceId)
}

it('a clone becomes a file, and a file becomes a clone', async () => {
  const { voice } = await clone('Anna')
  const file = await client.exportVoice(voice.voiceId)
  expect(file).toMatchObject({ parlandoVoice: 1, voice: { displayName: 'Anna' } })
  const copy = await client.importVoice(JSON.parse(JSON.stringify(file)))
  expect(copy).toMatchObject({ displayName: 'Anna', source: 'IVC' })
  expect(await cloneIds()).toEqual([voice.voiceId, copy.voiceId])
  const rejected = { code: 'INVALID_INPUT', message: expect.stringContaining('parlandoVoice') }
  await expect(client.importVoice({} as typeof file)).rejects.toMatchObject(rejected)
})

describe('a cloned voice', () => {
  it('can be listed, read, changed, spoken and deleted like any other', async () => {
    const { voice, errors } = await clone('Grandma_1')
    expect(errors).toEqual([])
    const { voiceId } = voice
    expect(voiceId).toMatch(/^local__grandma-1-/)
    expect(await cloneIds()).toEqual([voiceId])
    expect(await client.getVoice(voiceId)).toEqual(voice)
    const update = { voiceId, displayName: 'Oma', description: 'Warm', tags: ['family'] }
    const changed = await client.updateVoice(update)
    expect(changed).toEqual({ ...voice, ...update })
    expect((await client.listVoices({ filter: 'tags:family' })).voices).toEqual([changed])
    const preview = await client.previewVoice({ voiceId, modelId: 'svc-tts-2' })
    expect(preview.audio.length).toBeGreaterThan(10_000)

    await client.deleteVoice(voiceId)
    const cloning = { code: 'NOT_FOUND' }
    await expect(client.getVoice(voiceId)).rejects.toMatchObject(cloning)
    await expect(client.deleteVoice(voiceId)).rejects.toMatchObject(cloning)
    const speech = { text: 'Hello.', voiceId, modelId: 'svc-tts-2' }
    await expect(client.synthesize(speech)).rejects.toMatchObject(cloning)
    await stop()
    await start()
    expect(await cloneIds()).toEqual([])
    expect(readdirSync(join(dataFolder, 'voices'))).toEqual([])
  })

  it('has one warning for each problem of its recordings', async () => {
    const { dataOffset, sampleRateHertz = 0 } = readWavHeader(recording)!
    const short = recording.subarray(0, dataOffset + 4.5 * sampleRateHertz * 2)
    expect((await clone('Grandma', [recording, short])).warnings).toEqual([
      {
        sample: 2,
        code: 'too-short',
        text: 'The sample is 4.5 s long; 5 to 15 s make a better voice',
      },
    ])
  })

  it('sounds the same whole and streamed, before and after a restart', async () => {
    const { voice } = await clone('Grandma', [recording, await makeVoiceSample(client, 'MP3')])
    const { voiceId } = voice
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24000 } as const
    const request = { text: 'Is it time for tea?', voiceId, modelId: 'svc-tts-2', audioConfig }
    const { audio } = await client.synthesize(request)
    expect(audio.length).toBeGreaterThan(24_000)
    expect((await streamed(request)).equals(audio)).toBe(true)
    const library = await client.synthesize({ ...request, voiceId: 'Angus' })
    expect(Buffer.from(library.audio).equals(audio)).toBe(false)

    await stop()
    await start()
    expect(await client.getVoice(voiceId)).toEqual(voice)
    expect(Buffer.from((await client.synthesize(request)).audio).equals(audio)).toBe(true)
    expect((await streamed(request)).equals(audio)).toBe(true)
  })

  it('is not created from silence', async () => {
    const silence = Buffer.concat([recording.subarray(0, 44), Buffer.alloc(recording.length - 44)])
    const failure = { code: 'INVALID_ARGUMENT', status: 400, message: /sample 1/ }
    await expect(clone('Nobody', [silence])).rejects.toMatchObject(failure)
    expect(await cloneIds()).toEqual([])
  })

  it('is not created when the client disconnects', async () => {
    const controller = new AbortController()
    const request = { displayName: 'Gone', langCode: 'EN_US', samples: [recording] }
    const cloning = client.cloneVoice(request, { signal: controller.signal })
    // A clone takes at least 0.1 s, so the service is still working on it.
    setTimeout(() => controller.abort(new Error('changed my mind')), 20)
    await expect(cloning).rejects.toThrow('changed my mind')
    const { voice } = await clone('Stays')
    expect(await cloneIds()).toEqual([voice.voiceId])
  })

  it('is rejected if the service has reached its limit of voices', async () => {
    const made: string[] = []
    for (let count = 0; count < maxVoices; count++) made.push((await clone('One')).voice.voiceId)
    expect(new Set(made).size).toBe(maxVoices)
    const message = /reached its limit of cloned voices, 3: delete one/
    const failure = { code: 'RESOURCE_EXHAUSTED', status: 429, message }
    await expect(clone('One more')).rejects.toMatchObject(failure)
    expect(await cloneIds()).toEqual(made)
  })
})

it('a voice that cannot be stored is not created', async () => {
  const path = join(dataFolder, 'file')
  writeFileSync(path, '')
  const brokenService = await startLocalService({
    dataFolder: path,
    logLevel: 'silent',
    warmUp: false,
  })
  const other = createClient({ baseUrl: brokenService.baseUrl })
  const request = { displayName: 'Grandma', langCode: 'EN_US', samples: [recording] }
  const message = /cannot change its voices: the path of the data folder is a file/
  const failure = { code: 'FAILED_PRECONDITION', status: 400, retryable: false, message }
  await expect(other.cloneVoice(request)).rejects.toMatchObject(failure)
  expect((await other.listVoices({ filter: 'source = "IVC"' })).voices).toEqual([])
  await other.close()
  await brokenService.close()
})
