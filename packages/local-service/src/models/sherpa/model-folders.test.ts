import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findModelsFolders } from './find-models-folders.ts'
import { modelKind } from './model-kind.ts'

it('finds the folder of the user and, if models are in it, that of the commands', async () => {
  const data = await mkdtemp(join(tmpdir(), 'parlando-data-'))
  onTestFinished(() => rm(data, { recursive: true }))
  expect(await findModelsFolders(undefined, undefined)).toEqual([])
  expect(await findModelsFolders(undefined, data)).toEqual([])
  await mkdir(join(data, 'models/.downloads'), { recursive: true })
  expect(await findModelsFolders('/mine', data)).toEqual(['/mine'])
  await mkdir(join(data, 'models/vits-tiny'))
  expect(await findModelsFolders('/mine', data)).toEqual(['/mine', join(data, 'models')])
})

const single = ['model.onnx', 'tokens.txt']
const parts = ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt']

describe('modelKind', () => {
  it.each([
    ['sherpa-onnx-streaming-zipformer-en-kroko-2025-08-06', [...parts, 'joiner.onnx']],
    ['sherpa-onnx-zipformer-ctc-en-2023-10-02', single],
    ['sherpa-onnx-whisper-tiny.en', ['tiny.en-encoder.onnx', 'tiny.en-decoder.onnx']],
    ['sherpa-onnx-moonshine-tiny-en', ['preprocess.onnx', 'encode.int8.onnx', 'tokens.txt']],
    ['sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17', ['model.int8.onnx', 'tokens.txt']],
    ['sherpa-onnx-nemo-parakeet_tdt_ctc_110m-en-36000-int8', single],
    ['sherpa-onnx-paraformer-zh-2023-09-14', single],
    ['my model', ['joiner-epoch-99-avg-1.onnx', ...parts]],
    ['my model', parts],
  ])('finds a recogniser in %s', (folder, names) => {
    expect(modelKind(folder, names)).toBe('recogniser')
  })

  it.each([
    ['vits-piper-de_DE-thorsten-medium', single],
    ['vits-piper-fr_FR-nemo-medium', single],
    ['kokoro-multi-lang-v1_0', [...single, 'voices.bin']],
    ['zipvoice-distill-zh-en', [...parts, 'vocos_24khz.onnx']],
    ['my voice', [...parts, 'vocos_24khz.onnx']],
    ['my voice', [...parts, 'lm_main.onnx']],
    ['my voice', ['vector_estimator.int8.onnx', 'text_encoder.int8.onnx']],
    ['whisper', ['anna.onnx', 'anna.onnx.json', 'tokens.txt']],
    ['my model', single],
    ['whispering-voice', single],
    ['whisper', ['readme.txt']],
    ['empty', []],
  ])('finds no recogniser in %s with %j', (folder, names) => {
    expect(modelKind(folder, names)).toBe('voice')
  })
})
