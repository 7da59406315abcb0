import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  float,
  input,
  node,
  onnxModel,
  output,
} from '@parlando/test-support/local-service/models/onnx-model'
import { writeTinyModel } from '@parlando/test-support/local-service/models/tiny-tts-model'
import {
  createEngineApp,
  optionalEnginesFolder,
  post,
  speakBytes,
} from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../metrics/service-metrics.ts'
import { findSherpa } from '../../models/sherpa/find-sherpa.ts'
import { startLocalService } from '../../service.ts'
import type { Engine } from '../engine.ts'
import { readModels } from './read-models.ts'
import { createSherpaEngine } from './sherpa-engine.ts'
import { toVoices } from './sherpa-voices.ts'

const words = 'the door is open and closed again'.split(' ')

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function start(
  folder: string,
  packageFolder = optionalEnginesFolder,
  freeMemory?: () => number,
) {
  const warnings: string[] = []
  const engine = await createSherpaEngine({
    findFolders: async () => [folder],
    package: findSherpa([packageFolder]),
    freeMemory,
    warn: (message) => warnings.push(message),
  })
  onTestFinished(async () => engine?.close())
  return { engine: engine!, warnings }
}

/** @returns the rising zero crossings per second: the pitch of a tone. */
async function hertzOf(engine: Engine, voice: string): Promise<number> {
  const bytes = await speakBytes(engine, voice, 'again')
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const rises = samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0).length
  return (rises * engine.sampleRateHertz) / samples.length
}

describe('sherpa-onnx', () => {
  it('speaks with every model in the folder, at any sample rate', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'vits-piper-de_DE-anna'), ['guten', 'tag'])
    await writeTinyModel(join(folder, 'other'), words)
    const { engine, warnings } = await start(folder)
    expect(engine.voices).toMatchObject([
      { langCode: 'EN_US', voice: { voiceId: 'sherpa-other', displayName: 'other (sherpa)' } },
      { langCode: 'DE_DE', voice: { voiceId: 'sherpa-vits-piper-de_de-anna' } },
    ])
    const secondsOf = async (voice: string, text: string) =>
      (await speakBytes(engine, voice, text)).length / 4 / engine.sampleRateHertz
    expect(await secondsOf('sherpa-other', 'the door')).toBeCloseTo(0.8, 1)
    expect(await secondsOf('sherpa-vits-piper-de_de-anna', 'guten tag')).toBeCloseTo(0.9, 1)
    expect(warnings).toEqual([])
  })

  it('offers a voice for each speaker of a model', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'choir'), words, 2)
    const { engine } = await start(folder)
    expect(engine.voices.map(({ name }) => name)).toEqual(['sherpa-choir-0', 'sherpa-choir-1'])
    const low = await hertzOf(engine, 'sherpa-choir-0')
    const high = await hertzOf(engine, 'sherpa-choir-1')
    expect(high / low).toBeCloseTo(2, 0)
  })

  it('passes on each sentence when it is ready, and stops after an abort', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    const { engine } = await start(folder)
    const disconnect = new AbortController()
    let sounds = 0
    const speak = (onSound: () => void, signal = new AbortController().signal) =>
      engine.speakPhrase({
        voice: 'sherpa-tiny',
        text: 'the door is open. the door is closed. again.',
        modelId: 'svc-tts-2',
        withWords: false,
        signal,
        onSound,
      })
    await speak(() => {
      sounds += 1
    })
    expect(sounds).toBeGreaterThanOrEqual(3)
    const reason = new Error('the caller disconnected')
    const aborted = speak(() => disconnect.abort(reason), disconnect.signal)
    await expect(aborted).rejects.toThrow('the caller disconnected')
  })

  it('finishes utterances of a removed model, which it no longer offers, and offers a new one', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'old'), words)
    const { engine } = await start(folder)
    await speakBytes(engine, 'sherpa-old', 'the door')
    await rm(join(folder, 'old'), { recursive: true })
    await writeTinyModel(join(folder, 'new'), words)
    await engine.refresh!()
    expect(engine.voices.map(({ name }) => name)).toEqual(['sherpa-new'])
    for (const voice of ['sherpa-new', 'sherpa-old']) {
      expect((await speakBytes(engine, voice, 'open')).length).toBeGreaterThan(0)
    }
    const gone = speakBytes(engine, 'sherpa-gone', 'open')
    await expect(gone).rejects.toMatchObject({ response: { code: 'NOT_FOUND' } })
  })

  it('does not open a model again because its loudness was measured', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    await utimes(join(folder, 'tiny'), 1000, 1000)
    const { engine } = await start(folder)
    await speakBytes(engine, 'sherpa-tiny', words.join(' '))
    expect(await readdir(join(folder, 'tiny'))).toContain('loudness.json')
    await engine.refresh!()
    expect(engine.models).toMatchObject([{ isLoaded: true }])
  })

  it('opens a model that has replaced another one of its name', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'choir'), words, 1)
    await utimes(join(folder, 'choir'), 1000, 1000)
    const { engine } = await start(folder)
    await rm(join(folder, 'choir'), { recursive: true })
    await writeTinyModel(join(folder, 'choir'), words, 2)
    await engine.refresh!()
    expect(engine.voices.map(({ name }) => name)).toEqual(['sherpa-choir-0', 'sherpa-choir-1'])
  })

  it('rejects a text that the model cannot speak, and speaks the next one', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    const { engine, warnings } = await start(folder)
    const unknown = speakBytes(engine, 'sherpa-tiny', 'qwertz')
    await expect(unknown).rejects.toMatchObject({ kind: 'input' })
    expect((await speakBytes(engine, 'sherpa-tiny', 'open')).length).toBeGreaterThan(0)
    expect(warnings).toEqual([])
  })

  it('skips folders without a model and damaged models with a warning, and uses the rest', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'good'), words)
    await writeTinyModel(join(folder, 'junk'), words)
    await writeFile(join(folder, 'junk', 'model.onnx'), 'not a model')
    await mkdir(join(folder, 'empty'))
    await writeTinyModel(join(folder, 'kokoro'), words)
    const graph = [node('Sin', ['x'], 'y'), input('x', float, ['n']), output('y', float, ['n'])]
    await writeFile(join(folder, 'kokoro', 'model.onnx'), onnxModel(graph, {}))
    await mkdir(join(folder, 'voice-file'))
    await writeFile(join(folder, 'voice-file', 'en_US-joe.onnx'), onnxModel([], {}))
    await writeFile(join(folder, 'voice-file', 'en_US-joe.onnx.json'), '{}')
    const { engine, warnings } = await start(folder)
    expect(engine.voices.map(({ name }) => name)).toEqual(['sherpa-good'])
    expect(warnings).toEqual([
      expect.stringMatching(/empty is skipped: its files do not match/),
      expect.stringMatching(/a voice of Piper .*: parlando-local voices add .*en_US-joe\.onnx$/),
      expect.stringMatching(/The model junk is skipped: .*SIGABRT.*Protobuf parsing failed/s),
      expect.stringMatching(/The model kokoro is skipped: it was made for another program/),
    ])
  })

  it('reads language and name from parlando.json, and warns about invalid values', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'good'), words)
    const about = { langCode: 'NL_NL', displayName: 'Saskia' }
    await writeFile(join(folder, 'good', 'parlando.json'), JSON.stringify(about))
    await writeTinyModel(join(folder, 'wrong'), words)
    await writeFile(join(folder, 'wrong', 'parlando.json'), '{"langCode":"nl"}')
    const warnings: string[] = []
    const models = await readModels(folder, (message) => warnings.push(message))
    expect(models).toMatchObject([{ name: 'good', ...about }])
    expect(warnings).toEqual([
      expect.stringContaining('parlando.json: langCode must be a language code of the form DE_DE'),
    ])
  })

  it('offers the recordings of a cloning model as voices', async () => {
    const folder = await makeFolder()
    const path = join(folder, 'zipvoice-zh-en')
    await mkdir(join(path, 'voices'), { recursive: true })
    for (const name of ['encoder.onnx', 'decoder.onnx', 'vocos_24khz.onnx', 'tokens.txt']) {
      await writeFile(join(path, name), '')
    }
    const warnings: string[] = []
    const read = () => readModels(folder, (message) => warnings.push(message))
    expect(await read()).toMatchObject([{ family: 'zipvoice', recordings: [] }])
    await writeFile(join(path, 'voices', 'anna.wav'), '')
    await writeFile(join(path, 'voices', 'anna.txt'), 'Good morning.\n')
    const wavPath = join(path, 'voices', 'anna.wav')
    const [model] = await read()
    expect(model).toMatchObject({
      recordings: [{ name: 'anna', wavPath, text: 'Good morning.' }],
    })
    expect(toVoices({ ...model!, speakers: 1 })).toMatchObject([
      { imitates: { needsText: true }, languages: ['ZH_CN', 'EN_US'] },
      { name: 'sherpa-zipvoice-zh-en-anna', langCode: 'ZH_CN' },
    ])
    expect(warnings).toEqual([])
  })

  it('does not load a model that needs more memory than is free', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    const { engine, warnings } = await start(folder, optionalEnginesFolder, () => 7 * 2 ** 20)
    expect(engine).toBeUndefined()
    expect(warnings).toEqual([
      expect.stringMatching(
        /The model tiny is skipped: .* needs about 8\d MiB of memory, and 7 MiB are free: end other programs, or use a smaller model/,
      ),
    ])
  })

  it('unloads other models for a model that does not fit into the free memory', async () => {
    const folder = await makeFolder()
    for (const name of ['one', 'two']) await writeTinyModel(join(folder, name), words)
    let readFree = () => Number.POSITIVE_INFINITY
    const { engine } = await start(folder, optionalEnginesFolder, () => readFree())
    const loaded = () => engine.models!.map(({ isLoaded }) => isLoaded)
    expect(loaded()).toEqual([false, false])
    await speakBytes(engine, 'sherpa-one', 'open')
    expect(loaded()).toEqual([true, false])
    readFree = () => (loaded().includes(true) ? 0 : Number.POSITIVE_INFINITY)
    await speakBytes(engine, 'sherpa-two', 'open')
    expect(loaded()).toEqual([false, true])

    readFree = () => 0
    const rejected = speakBytes(engine, 'sherpa-one', 'open')
    await expect(rejected).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('0 MiB are free'),
    })
    expect(loaded()).toEqual([false, false])
  })

  it('unloads a model that was added later for one that was there before', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'one'), words)
    let readFree = () => Number.POSITIVE_INFINITY
    const { engine } = await start(folder, optionalEnginesFolder, () => readFree())
    await writeTinyModel(join(folder, 'two'), words)
    await engine.refresh!()
    const loaded = () => engine.models!.map(({ isLoaded }) => isLoaded)
    await speakBytes(engine, 'sherpa-two', 'open')
    expect(loaded()).toEqual([false, true])
    readFree = () => (loaded().includes(true) ? 0 : Number.POSITIVE_INFINITY)
    await speakBytes(engine, 'sherpa-one', 'open')
    expect(loaded()).toEqual([true, false])
  })

  it('loads a model before its first phrase, if it fits into the memory', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'tiny'), words)
    let free = Number.POSITIVE_INFINITY
    const { engine } = await start(folder, optionalEnginesFolder, () => free)
    free = 0
    await expect(engine.load!('sherpa-tiny')).rejects.toMatchObject({ kind: 'unavailable' })
    free = Number.POSITIVE_INFINITY
    await engine.load!('sherpa-tiny')
    expect(engine.models).toMatchObject([{ isLoaded: true }])
  })

  it.runIf(process.platform !== 'win32')('does not wait for a named pipe', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'good'), words)
    for (const name of ['pipe', join('good', 'parlando.json')]) {
      execFileSync('mkfifo', [join(folder, name)])
    }
    const warnings: string[] = []
    const models = await readModels(folder, (message) => warnings.push(message))
    expect(models).toMatchObject([{ name: 'good' }])
    expect(warnings).toEqual([])
  })

  it('warns if the package or the folder is missing', async () => {
    const folder = await makeFolder()
    const withoutPackage = await start(folder, folder)
    expect(withoutPackage.engine).toBeUndefined()
    expect(withoutPackage.warnings).toEqual([
      expect.stringContaining('npm install sherpa-onnx-node'),
    ])
    const withoutFolder = await start(join(folder, 'nowhere'))
    expect(withoutFolder.engine).toBeUndefined()
    expect(withoutFolder.warnings).toEqual([expect.stringMatching(/cannot be read: .*nowhere/)])
  })
})

it('readModels uses twenty models and warns about each further one', async () => {
  const folder = await makeFolder()
  for (let count = 0; count < 25; count++) await mkdir(join(folder, `0-empty-${count}`))
  for (let count = 10; count < 31; count++)
    await writeTinyModel(join(folder, `tiny-${count}`), words)
  const warnings: string[] = []
  const models = await readModels(folder, (message) => warnings.push(message))
  expect(models.map(({ name }) => name).slice(-2)).toEqual(['tiny-28', 'tiny-29'])
  expect(warnings).toHaveLength(26)
  expect(warnings.at(-1)).toMatch(/tiny-30 is skipped: only the first 20 models are used/)
})

describe('the service with sherpa-onnx', () => {
  it('lists its voices by language, and speaks with and without streaming', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'vits-piper-nl_NL-tiny'), words)
    const { engine } = await start(folder)
    const { app, engines, voiceList, failures } = createEngineApp(engine)
    const listed = await (await app.request('/voices/v1/voices?languages=nl')).json()
    const voiceId = 'sherpa-vits-piper-nl_nl-tiny'
    expect(listed).toMatchObject({ voices: [{ voiceId, langCode: 'NL_NL' }] })

    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
    const request = { text: 'The door is open.', voiceId, modelId: 'svc-tts-2', audioConfig }
    // The first phrase measures how loud the voice is.
    await post(app, '/tts/v1/voice', request)
    const whole = await (await post(app, '/tts/v1/voice', request)).json()
    const { audioContent } = whole as { audioContent: string }
    expect(Buffer.from(audioContent, 'base64').length / 2 / 24_000).toBeGreaterThan(1)
    const lines = (await (await post(app, '/tts/v1/voice:stream', request)).text())
      .trim()
      .split('\n')
    const pieces = lines.map((line) => Buffer.from(JSON.parse(line).result.audioContent, 'base64'))
    expect(Buffer.concat(pieces).toString('base64')).toBe(audioContent)

    const measured = await (await app.request(`/voices/v1/voices/${voiceId}`)).json()
    const megabytes = expect.toSatisfy((bytes: number) => bytes > 2 ** 20)
    expect(measured).toMatchObject({ memoryBytes: megabytes, realTimeFactor: expect.any(Number) })
    const { text: metrics } = await createMetrics({ engines, voiceList }).write()
    const labels = '\\{engine="sherpa",model="vits-piper-nl_NL-tiny"\\}'
    for (const name of ['loaded', 'memory_bytes', 'real_time_factor']) {
      expect(metrics).toMatch(new RegExp(`parlando_model_${name}${labels} [\\d.]+`))
    }
    expect(failures).toEqual([])
  })

  it('loads the voice that its owner has chosen after the start', async () => {
    const sherpaModels = await makeFolder()
    for (const name of ['one', 'two']) await writeTinyModel(join(sherpaModels, name), words)
    const service = await startLocalService({
      sherpaModels,
      enginesFolder: optionalEnginesFolder,
      defaultVoice: 'sherpa-two',
      logLevel: 'silent',
    })
    onTestFinished(() => service.close())
    const metrics = async () => (await fetch(`${service.baseUrl}/metrics`)).text()
    await expect.poll(metrics).toMatch(/^parlando_model_loaded\{.*model="two"\} 1$/m)
    expect(await metrics()).toMatch(/^parlando_model_loaded\{.*model="one"\} 0$/m)
  })
})
