import { setImmediate } from 'node:timers/promises'
import { writeWavHeader } from '@parlando/core/audio'
import { makeClonedVoice, post, useTestApp } from '@parlando/test-support/local-service/test-app'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import type { RunningEngine } from '../../engines/engine-registry.ts'
import type { CloneOptions, MeasuredClone } from '../../voices/clone/clone-voice.ts'
import { Clones } from '../../voices/store/clones.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import { createApp } from '../app/app.ts'
import { createCloneHandler } from './clone.ts'

const testApp = useTestApp()

const path = '/voices/v1/voices:clone'
const wav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 16_000, dataBytes: 192_000 }),
  Buffer.alloc(192_000, 1),
])
const sample = { audioData: wav.toString('base64') }
const request = { displayName: 'Änne Müller 2', langCode: 'EN_US', voiceSamples: [sample] }

/** A measurement that waits until the test opens the gate. */
function createGate() {
  const calls: CloneOptions[] = []
  const concurrent = { now: 0, max: 0 }
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const measure = async (options: CloneOptions): Promise<MeasuredClone> => {
    calls.push(options)
    concurrent.now += 1
    concurrent.max = Math.max(concurrent.max, concurrent.now)
    await opened
    concurrent.now -= 1
    const samples = options.samples.map((_, index) => ({
      seconds: 6,
      warnings: index === 0 ? [{ code: 'noisy' as const, text: 'The sample is noisy' }] : [],
      errors: index === 1 ? ['contains no speech'] : [],
    }))
    return { profile: makeClonedVoice('').imprint!, engine: 'flite', engineVoice: 'slt', samples }
  }
  return { calls, concurrent, measure, open }
}

function createCloning(maxVoices?: number, others: Record<string, RunningEngine> = {}) {
  const gate = createGate()
  const voiceList = createVoiceList(new Clones({ maxVoices }))
  const engines = new Map(Object.entries({ flite: testApp.flite, ...others }))
  const onFailure = (error: unknown) => {
    throw error
  }
  const app = createApp({
    engines,
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList,
    onFailure,
  })
  app.post(
    '/clone',
    createCloneHandler({ voiceList, engines, encoders: createEncoderPool() }, gate.measure),
  )
  return { ...gate, voiceList, clone: (body: object = request) => post(app, '/clone', body), app }
}

describe('a clone', () => {
  it('is a voice like others, and the response contains no recording', async () => {
    const { clone, open, calls, voiceList } = createCloning()
    open()
    const response = await clone({
      ...request,
      description: 'calm',
      tags: ['mine'],
      voiceSamples: [{ ...sample, transcription: 'Hello' }, sample],
      audioProcessingConfig: { removeBackgroundNoise: true },
    })
    const body = await response.json()
    const { voiceId } = body.voice
    expect(body).toEqual({
      voice: {
        voiceId: expect.stringMatching(/^local__anne-muller-2-[0-9a-f]{12}$/),
        name: `workspaces/local/voices/${voiceId.replace('local__', '')}`,
        displayName: request.displayName,
        description: 'calm',
        langCode: 'EN_US',
        tags: ['mine'],
        source: 'IVC',
        createTime: expect.stringMatching(/^20.*Z$/),
        gender: '',
        ageGroup: '',
        categories: [],
        promptLanguages: [],
      },
      audioSamplesValidated: [
        {
          langCode: 'EN_US',
          transcription: 'Hello',
          warnings: [{ code: 'noisy', text: 'The sample is noisy' }],
          errors: [],
        },
        {
          langCode: 'EN_US',
          transcription: '',
          warnings: [],
          errors: [{ text: 'The sample contains no speech' }],
        },
      ],
    })
    expect(calls).toMatchObject([{ samples: [wav, wav], removeBackgroundNoise: true }])
    expect(voiceList.find(voiceId)).toMatchObject({ voice: { voiceId }, engineVoice: 'slt' })
  })

  it('has a unique id for any name', async () => {
    const { clone, open, voiceList } = createCloning()
    open()
    for (const displayName of ['Anna', 'Anna', '../../etc', '祖母']) {
      expect((await clone({ ...request, displayName })).status).toBe(200)
    }
    const ids = voiceList.clones.list().map(({ voice }) => voice.voiceId)
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^local__[a-z-]*[0-9a-f]{12}$/)
  })

  it.each([
    ['AUTO', 'EN_US'],
    ['EN_GB', 'EN_GB'],
  ])('for %s speaks %s', async (langCode, spoken) => {
    const { clone, open } = createCloning()
    open()
    const { voice } = await (await clone({ ...request, lang_code: langCode, langCode })).json()
    expect(voice.langCode).toBe(spoken)
  })

  it.each([
    [{ languageCode: 'en-GB' }, 'EN_GB'],
    [{ language_code: 'en' }, 'EN_US'],
    [{ languageCode: 'AUTO' }, 'EN_US'],
    [{ languageCode: 'en-GB', langCode: '' }, 'EN_GB'],
    [{ languageCode: '', langCode: 'EN_GB' }, 'EN_GB'],
    [{ languageCode: 'en-US', langCode: 'EN_AU' }, 'EN_AU'],
  ])('takes the language from %j, in either form', async (language, spoken) => {
    const { clone, open } = createCloning()
    open()
    const { voice } = await (await clone({ ...request, langCode: undefined, ...language })).json()
    expect(voice.langCode).toBe(spoken)
  })

  it('waits for the previous one, and is rejected if too many wait', async () => {
    const { clone, open, concurrent, voiceList } = createCloning()
    const responses = Array.from({ length: 6 }, () => clone())
    const rejected = await Promise.all(responses.slice(4))
    for (const response of rejected) {
      expect(response.status).toBe(429)
      expect(await response.json()).toMatchObject({ code: 8, message: /try again in 5 s/ })
    }
    open()
    const accepted = await Promise.all(responses.slice(0, 4))
    expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(concurrent.max).toBe(1)
    expect((await clone()).status).toBe(200)
    expect(voiceList.clones.list()).toHaveLength(5)
  })

  it('is not created if its caller disconnects while it waits or runs', async () => {
    const { app, open, calls, voiceList, clone } = createCloning()
    const disconnect = new AbortController()
    const body = JSON.stringify(request)
    const init = { method: 'POST', body, signal: disconnect.signal }
    const responses = [app.request('/clone', init), app.request('/clone', init)]
    await expect.poll(() => calls.length).toBe(1)
    disconnect.abort()
    expect(calls[0]?.signal.aborted).toBe(true)
    open()
    for (const response of responses) expect((await response).status).toBe(499)
    expect(calls).toHaveLength(1)
    expect(voiceList.clones.list()).toEqual([])
    expect((await clone()).status).toBe(200)
  })

  it('is rejected at the limit of voices, with advice', async () => {
    const { clone, open, calls } = createCloning(1)
    open()
    expect((await clone()).status).toBe(200)
    const response = await clone()
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({
      code: 8,
      message: /reached its limit of cloned voices, 1: delete one/,
    })
    expect(calls).toHaveLength(1)
  })
})

describe('a request for a clone', () => {
  const broken = wav.toString('base64').slice(0, -3)
  const large = Buffer.concat([wav, Buffer.alloc(4 * 1024 * 1024)]).toString('base64')

  it.each([
    [{ displayName: ' ' }, /displayName must not be empty/],
    [{ langCode: 'english' }, /langCode must be a code such as EN_US/],
    [
      { langCode: undefined, languageCode: 'English' },
      /^languageCode must be a code such as en-US/,
    ],
    [{ langCode: undefined }, /langCode is missing/],
    [{ langCode: '' }, /langCode must be a code such as EN_US/],
    [{ displayName: undefined, display_nam: 'Me' }, /displayNam is .* did you mean displayName/],
    [{ voiceSamples: [] }, /voiceSamples/],
    [{ voiceSamples: [{ audioData: '' }] }, /voiceSamples\.0\.audioData/],
    [{ voiceSamples: Array(11).fill(sample) }, /11 samples exceed the limit of 10/],
    [{ voiceSamples: [sample, { audioData: broken }] }, /sample 2 of 2 is not base64/],
    [{ voiceSamples: [{ audioData: `${sample.audioData}\n` }] }, /sample 1 of 1 is not base64/],
    [{ voiceSamples: [{ audioData: `data:audio/wav;base64,` }] }, /sample 1 of 1 is a data: URL/],
    [{ voiceSamples: [{ audioData: 'AAAA' }, sample] }, /sample 1 of 2 is not a WAV, MP3 or WEBM/],
    [{ voiceSamples: [{ audioData: large }] }, /sample 1 of 1 has \d+ bytes, the limit is 4194304/],
    [{ displayName: ' ', audioProcessingConfig: { denoise: true } }, /empty; .*denoise is not a/],
    [{ description: 'a'.repeat(9000) }, /the limit is 8000/],
    [
      { voiceSamples: [sample, { ...sample, transcription: 'a'.repeat(2001) }] },
      /the transcription of sample 2 of 2 has 2001 characters, the limit is 2000/,
    ],
    [{ voiceSamples: Array(6).fill({ audioData: large }) }, /larger than 33554432 bytes/, 413],
  ])('is rejected if it is invalid (%#)', async (change, message, status = 400) => {
    const response = await testApp.post(path, { ...request, ...change })
    expect(response.status).toBe(status)
    const problem = await response.json()
    expect(problem).toEqual({ code: 3, message: expect.stringMatching(message), details: [] })
    expect(problem.message.length).toBeLessThan(300)
  })

  it('is rejected for a language that no base voice speaks', async () => {
    const voices = [{ name: 'de', langCode: 'DE_DE' }]
    const other = { ...testApp.flite, engine: { ...testApp.flite.engine, name: 'other', voices } }
    const { clone } = createCloning(undefined, { other })
    const response = await clone({ ...request, langCode: 'DE_DE' })
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({ code: 12, message: /DE_DE.*EN_US/ })
  })
})

describe('an operation that the local service does not support', () => {
  it.each([
    ['/voices/v1/voices:design', /clone one/],
    ['/voices/v1/workspaces/mine/voices:design', /clone one/],
    ['/voices/v1/voices/local__anna:publish', /nothing to publish/],
  ])('is rejected with an alternative: %s', async (at, message) => {
    const response = await testApp.post(at, {})
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({ code: 12, message })
  })
})

/** A body in pieces that arrive in separate turns of the event loop, as from a socket. */
function arriving(body: Buffer): ReadableStream<Uint8Array> {
  const pieceBytes = 64 * 1024
  let start = 0
  return new ReadableStream({
    async pull(controller) {
      await setImmediate()
      controller.enqueue(body.subarray(start, start + pieceBytes))
      start += pieceBytes
      if (start >= body.length) controller.close()
    },
  })
}

it('does not hold the event loop while it reads five recordings of the largest size', async () => {
  const bytes = 4 * 1024 * 1024
  const header = writeWavHeader({ sampleRateHertz: 48_000, dataBytes: bytes })
  const audioData = Buffer.concat([header, Buffer.alloc(bytes - header.length)]).toString('base64')
  // The last one is rejected, so none is measured.
  const voiceSamples = [
    ...Array(4).fill({ audioData }),
    { audioData: `${audioData.slice(0, -1)}!` },
  ]
  // Node 20 needs 80 ms to decode a body of this size if the name is not ASCII.
  const body = Buffer.from(JSON.stringify({ ...request, displayName: 'Anne', voiceSamples }))
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` }
  const held = await measureHold(async () => {
    const init = { method: 'POST', headers, body: arriving(body), duplex: 'half' }
    const response = await testApp.app.request(path, init)
    expect(await response.text()).toContain('sample 5 of 5 is not base64')
  })
  expect(held).toBeLessThan(maxHoldMs)
})
