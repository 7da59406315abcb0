import { describe, expect, it } from 'vitest'
import { identifyRecogniserModel } from './recogniser-model-files.ts'

const both = (...names: string[]) => names.flatMap((name) => [`${name}.onnx`, `${name}.int8.onnx`])
const tokens = 'tokens.txt'

describe('identifyRecogniserModel', () => {
  it.each([
    [
      'sherpa-onnx-streaming-zipformer-en-kroko-2025-08-06',
      ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', tokens],
      'streaming transducer',
      { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx' },
    ],
    [
      'renamed',
      [...both('encoder-chunk-16-left-128', 'decoder-chunk-16', 'joiner-chunk-16'), tokens],
      'streaming transducer',
      {
        encoder: 'encoder-chunk-16-left-128.int8.onnx',
        decoder: 'decoder-chunk-16.int8.onnx',
        joiner: 'joiner-chunk-16.int8.onnx',
      },
    ],
    [
      'sherpa-onnx-streaming-zipformer-ctc-small-2024-03-18',
      ['ctc-epoch-30-avg-3-chunk-16-left-128.int8.onnx', tokens],
      'streaming zipformer2Ctc',
      { model: 'ctc-epoch-30-avg-3-chunk-16-left-128.int8.onnx' },
    ],
    [
      'sherpa-onnx-nemo-streaming-fast-conformer-ctc-en-80ms',
      ['model.onnx', tokens],
      'streaming nemoCtc',
      { model: 'model.onnx' },
    ],
    [
      'sherpa-onnx-streaming-paraformer-bilingual-zh-en',
      [...both('encoder', 'decoder'), tokens],
      'streaming paraformer',
      { encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx' },
    ],
    [
      'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8',
      ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', tokens],
      'transducer',
      {
        encoder: 'encoder.int8.onnx',
        decoder: 'decoder.int8.onnx',
        joiner: 'joiner.int8.onnx',
      },
    ],
    [
      'sherpa-onnx-zipformer-ctc-zh-int8-2025-07-03',
      ['model.int8.onnx', tokens],
      'zipformerCtc',
      { model: 'model.int8.onnx' },
    ],
    [
      'sherpa-onnx-nemo-ctc-en-conformer-small',
      [...both('model'), tokens],
      'nemoCtc',
      { model: 'model.int8.onnx' },
    ],
    [
      'sherpa-onnx-paraformer-zh-2023-09-14',
      [...both('model'), tokens],
      'paraformer',
      { model: 'model.int8.onnx' },
    ],
    [
      'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17',
      ['model.int8.onnx', tokens],
      'senseVoice',
      { model: 'model.int8.onnx' },
    ],
    [
      'sherpa-onnx-whisper-tiny.en',
      [...both('tiny.en-encoder', 'tiny.en-decoder'), 'tiny.en-tokens.txt'],
      'whisper',
      { encoder: 'tiny.en-encoder.int8.onnx', decoder: 'tiny.en-decoder.int8.onnx' },
    ],
    [
      'sherpa-onnx-moonshine-tiny-en-int8',
      [
        'preprocess.onnx',
        'encode.int8.onnx',
        'uncached_decode.int8.onnx',
        'cached_decode.int8.onnx',
        tokens,
      ],
      'moonshine',
      {
        preprocessor: 'preprocess.onnx',
        encoder: 'encode.int8.onnx',
        uncachedDecoder: 'uncached_decode.int8.onnx',
        cachedDecoder: 'cached_decode.int8.onnx',
      },
    ],
    [
      'sherpa-onnx-moonshine-base-en-quantized',
      ['encoder_model.ort', 'decoder_model_merged.ort', tokens],
      'moonshine',
      { encoder: 'encoder_model.ort', mergedDecoder: 'decoder_model_merged.ort' },
    ],
  ])('recognises the family and the files of %s', (folder, names, kind, files) => {
    const found = identifyRecogniserModel(folder, names)
    expect(found).toMatchObject({ files })
    expect([found?.isStreaming && 'streaming', found?.family].filter(Boolean).join(' ')).toBe(kind)
    expect(names).toContain(found?.tokens)
  })

  it.each([
    ['sherpa-onnx-nemo-canary-180m-flash', ['encoder.onnx', 'decoder.onnx', tokens]],
    ['sherpa-onnx-zipformer-ctc', ['model.onnx']],
    ['sherpa-onnx-moonshine', ['encode.onnx', tokens]],
    ['whisper', [tokens]],
  ])('recognises no model in %s with %j', (folder, names) => {
    expect(identifyRecogniserModel(folder, names)).toBeUndefined()
  })
})
