import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  sayTones,
  writeTinyRecogniser,
  writeTinyTransducer,
} from '@parlando/test-support/local-service/models/tiny-recogniser-model'
import { writeTinyModel } from '@parlando/test-support/local-service/models/tiny-tts-model'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSherpaEngine } from '../../engines/sherpa/sherpa-engine.ts'
import { findPackage } from '../../machine/user-files.ts'
import type { Recogniser, RecognitionRequest } from '../recogniser.ts'
import { createSherpaRecogniser, sherpa } from './sherpa-recogniser.ts'

const packagePath = findPackage('sherpa-onnx-node', [optionalEnginesFolder])!.path
const { signal } = new AbortController()
const streaming = 'sherpa-onnx-streaming-zipformer-ctc-en'
const whole = 'sherpa-onnx-zipformer-ctc-zh-en'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-models-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function start(folder: string, freeMemory?: () => number) {
  const warnings: string[] = []
  const warn = (message: string) => warnings.push(message)
  const options = { findFolders: async () => [folder], packagePath, freeMemory, warn }
  const recogniser = await createSherpaRecogniser(options)
  onTestFinished(async () => recogniser?.close())
  return { recogniser: recogniser!, warnings }
}

async function recognise(
  recogniser: Recogniser,
  name: string,
  samples: Int16Array,
  options: Partial<RecognitionRequest> = {},
) {
  const request = { modelId: `sherpa/${name}`, withWords: true, signal, ...options }
  const recognition = await recogniser.open(request)
  await recognition.write(samples)
  return recognition.end()
}

describe('sherpa-onnx', () => {
  const text = 'turn off the kitchen light'

  it('recognises speech with streaming and other models, with the time of each word', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, streaming), 'streaming')
    await writeTinyRecogniser(join(folder, whole), 'whole')
    const { recogniser, warnings } = await start(folder)
    expect(recogniser.models).toMatchObject([
      { modelId: `sherpa/${streaming}`, langCodes: ['EN_US'], hasInterimResults: true },
      { modelId: `sherpa/${whole}`, langCodes: ['ZH_CN', 'EN_US'], hasInterimResults: false },
    ])
    for (const name of [streaming, whole]) {
      const utterance = await recognise(recogniser, name, sayTones(text))
      expect(utterance.text).toBe(text)
      expect(utterance.words?.map((word) => word.text)).toEqual(text.split(' '))
      for (const [index, { startSeconds }] of utterance.words!.entries()) {
        expect(Math.abs(startSeconds - (0.3 + 0.35 * index))).toBeLessThan(0.08)
      }
    }
    expect(warnings).toEqual([])
  })

  it('reports the text so far with a streaming model', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, streaming), 'streaming')
    const { recogniser } = await start(folder)
    const interim: string[] = []
    const onInterim = (soFar: string) => interim.push(soFar)
    await recognise(recogniser, streaming, sayTones(text), { onInterim })
    expect(interim.length).toBeGreaterThanOrEqual(4)
    for (const soFar of interim) expect(text.startsWith(soFar)).toBe(true)
  })

  it.each([
    ['streaming-zipformer-en', 'streaming'],
    ['zipformer-en', 'whole'],
  ] as const)('prefers expected words with the transducer %s', async (name, kind) => {
    const folder = await makeFolder()
    await writeTinyTransducer(join(folder, name), kind)
    const { recogniser, warnings } = await start(folder)
    // Two words at the same time. Without expected words, the model prefers "stop".
    const stop = sayTones('stop')
    const both = sayTones('turn').map((sample, at) => sample + stop[at]! / 10)
    const textOf = async (prompts?: string[]) =>
      (await recognise(recogniser, name, both, { prompts })).text
    expect(await textOf()).toBe('stop')
    expect(await textOf(['Blorptang', 'turn', 'kitchen light'])).toBe('turn')
    expect(await textOf(['stop'])).toBe('stop')
    expect(await textOf(['/ :'])).toBe('stop')
    expect((await recognise(recogniser, name, sayTones(text), { prompts: ['turn'] })).text).toBe(
      text,
    )
    expect(warnings).toEqual([])
  })

  it('recognises the last word although no silence follows it', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, streaming), 'streaming')
    const { recogniser } = await start(folder)
    const samples = sayTones(text)
    const cut = samples.subarray(0, samples.length - 0.7 * 16_000)
    expect((await recognise(recogniser, streaming, cut)).text).toBe(text)
  })

  it('converts the text of a model that has capital letters only to lower case', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, whole), 'whole', { capitals: true })
    const { recogniser } = await start(folder)
    const utterance = await recognise(recogniser, whole, sayTones('hello'))
    expect(utterance).toMatchObject({ text: 'hello', words: [{ text: 'hello' }] })
  })

  it('skips damaged models and those without metadata with a warning, and uses the rest', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, whole), 'whole')
    await writeTinyRecogniser(join(folder, 'zipformer-damaged'), 'whole')
    await writeFile(join(folder, 'zipformer-damaged', 'model.onnx'), 'not a model')
    const metadata = { encoder_dims: '' }
    await writeTinyRecogniser(join(folder, 'streaming-zipformer-bare'), 'streaming', { metadata })
    await writeTinyRecogniser(join(folder, 'wenet-ctc'), 'whole')
    const { recogniser, warnings } = await start(folder)
    expect(recogniser.models.map(({ modelId }) => modelId)).toEqual([`sherpa/${whole}`])
    expect(warnings).toEqual([
      expect.stringMatching(/wenet-ctc is skipped: its files do not match any recogniser/),
      expect.stringMatching(/sherpa\/streaming-zipformer-bare is skipped: it exited with/),
      expect.stringMatching(/sherpa\/zipformer-damaged is skipped: .*Protobuf parsing failed/s),
    ])
    expect((await recognise(recogniser, whole, sayTones('stop'))).text).toBe('stop')
  })

  it('does not load a model that needs more memory than is free', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, streaming), 'streaming')
    const { recogniser: none, warnings } = await start(folder, () => 7 * 2 ** 20)
    expect(none).toBeUndefined()
    expect(warnings).toEqual([
      expect.stringMatching(/ is skipped: .* needs about \d+ MiB of memory, and 7 MiB are free/),
    ])

    let freeBytes = Number.POSITIVE_INFINITY
    const { recogniser } = await start(folder, () => freeBytes)
    freeBytes = recogniser.models[0]!.memoryBytes! - 1
    await expect(recognise(recogniser, streaming, sayTones(text))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('end other programs, or use a smaller model'),
    })
    freeBytes += 1
    expect((await recognise(recogniser, streaming, sayTones(text))).text).toBe(text)
  })

  it('shares its folder with voices', async () => {
    const folder = await makeFolder()
    await writeTinyModel(join(folder, 'vits-tiny'), ['hello'])
    await writeTinyRecogniser(join(folder, streaming), 'streaming')
    const { recogniser, warnings } = await start(folder)
    const warn = (message: string) => warnings.push(message)
    const engine = await createSherpaEngine({
      findFolders: async () => [folder],
      package: { packagePath },
      warn,
    })
    onTestFinished(async () => engine?.close())
    expect(recogniser.models.map(({ modelId }) => modelId)).toEqual([`sherpa/${streaming}`])
    expect(engine?.voices.map(({ name }) => name)).toEqual(['sherpa-vits-tiny'])
    expect(warnings).toEqual([])
  })

  it('keeps a model of the same name in another folder closed, and opens one that replaces it', async () => {
    const [first, second] = [await makeFolder(), await makeFolder()]
    for (const folder of [first, second]) await writeTinyRecogniser(join(folder, whole), 'whole')
    await utimes(join(first, whole), 1000, 1000)
    const warnings: string[] = []
    const starts: string[] = []
    const recogniser = await createSherpaRecogniser({
      findFolders: async () => [first, second],
      packagePath,
      freeMemory() {
        starts.push('start')
        return Number.POSITIVE_INFINITY
      },
      warn: (message) => warnings.push(message),
    })
    onTestFinished(() => recogniser!.close())
    await recogniser!.refresh!()
    expect(starts).toHaveLength(1)
    await rm(join(first, whole), { recursive: true })
    await writeTinyRecogniser(join(first, whole), 'whole')
    await recogniser!.refresh!()
    expect(starts).toHaveLength(2)
    expect(recogniser!.models).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('loses only the utterances of a model whose process is killed', async () => {
    const folder = await makeFolder()
    await writeTinyRecogniser(join(folder, streaming), 'streaming')
    const { recogniser, warnings } = await start(folder)
    const request = { modelId: `sherpa/${streaming}`, withWords: false, signal }
    const recognition = await recogniser.open(request)
    await recognition.write(sayTones(text))
    for (const child of runningChildProcesses()) child.kill('SIGKILL')
    await expect(recognition.end()).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await recognise(recogniser, streaming, sayTones(text))).text).toBe(text)
    expect(warnings).toHaveLength(1)
  })

  it('leaves a missing folder and a missing package to the engine of the same name', async () => {
    const folder = await makeFolder()
    const { recogniser, warnings } = await start(join(folder, 'nowhere'))
    expect(recogniser).toBeUndefined()
    const warn = (message: string) => warnings.push(message)
    const options = { sherpaModels: folder }
    expect(await sherpa.start({ options, dataFolder: folder, warn })).toBeUndefined()
    expect(await sherpa.start({ options: {}, warn })).toBeUndefined()
    expect(warnings).toEqual([])
  })
})
