import { describe, expect, it } from 'vitest'
import { identifyVoiceModel } from './voice-model-files.ts'

describe('identifyVoiceModel', () => {
  it.each([
    [
      'vits-piper-de_DE-thorsten-medium',
      [
        'de_DE-thorsten-medium.onnx',
        'de_DE-thorsten-medium.onnx.json',
        'tokens.txt',
        'espeak-ng-data',
      ],
      'vits',
      { model: 'de_DE-thorsten-medium.onnx', tokens: 'tokens.txt', dataDir: 'espeak-ng-data' },
    ],
    [
      'vits-zh-aishell3',
      ['vits-aishell3.onnx', 'vits-aishell3.int8.onnx', 'tokens.txt', 'lexicon.txt'],
      'vits',
      { model: 'vits-aishell3.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' },
    ],
    [
      'matcha-icefall-en_US-ljspeech',
      ['model-steps-3.onnx', 'vocos-22khz-univ.onnx', 'tokens.txt', 'espeak-ng-data'],
      'matcha',
      {
        acousticModel: 'model-steps-3.onnx',
        vocoder: 'vocos-22khz-univ.onnx',
        tokens: 'tokens.txt',
        dataDir: 'espeak-ng-data',
      },
    ],
    [
      'matcha-icefall-en_US-ljspeech with a text about its vocoder',
      ['model-steps-3.onnx', 'vocos-22khz-univ.onnx', 'vocos.md', 'tokens.txt'],
      'matcha',
      {
        acousticModel: 'model-steps-3.onnx',
        vocoder: 'vocos-22khz-univ.onnx',
        tokens: 'tokens.txt',
      },
    ],
    [
      'vits-ljs with a text about vocoders',
      ['model.onnx', 'vocoder.txt', 'tokens.txt'],
      'vits',
      { model: 'model.onnx', tokens: 'tokens.txt' },
    ],
    [
      'kokoro-multi-lang-v1_0',
      [
        'model.onnx',
        'voices.bin',
        'tokens.txt',
        'espeak-ng-data',
        'lexicon-us-en.txt',
        'lexicon-zh.txt',
      ],
      'kokoro',
      {
        model: 'model.onnx',
        voices: 'voices.bin',
        tokens: 'tokens.txt',
        dataDir: 'espeak-ng-data',
        lexicon: 'lexicon-us-en.txt,lexicon-zh.txt',
      },
    ],
    [
      'kitten-nano-en-v0_1-fp16',
      ['model.fp16.onnx', 'voices.bin', 'tokens.txt', 'espeak-ng-data'],
      'kitten',
      {
        model: 'model.fp16.onnx',
        voices: 'voices.bin',
        tokens: 'tokens.txt',
        dataDir: 'espeak-ng-data',
      },
    ],
    [
      'zipvoice-distill-zh-en',
      [
        'encoder.int8.onnx',
        'decoder.int8.onnx',
        'vocos_24khz.onnx',
        'tokens.txt',
        'lexicon.txt',
        'espeak-ng-data',
      ],
      'zipvoice',
      {
        encoder: 'encoder.int8.onnx',
        decoder: 'decoder.int8.onnx',
        vocoder: 'vocos_24khz.onnx',
        tokens: 'tokens.txt',
        dataDir: 'espeak-ng-data',
        lexicon: 'lexicon.txt',
      },
    ],
    [
      'pocket-tts',
      [
        'lm_flow.onnx',
        'lm_main.onnx',
        'encoder.onnx',
        'decoder.onnx',
        'text_conditioner.onnx',
        'vocab.json',
        'token_scores.json',
      ],
      'pocket',
      {
        lmMain: 'lm_main.onnx',
        lmFlow: 'lm_flow.onnx',
        encoder: 'encoder.onnx',
        decoder: 'decoder.onnx',
        textConditioner: 'text_conditioner.onnx',
        vocabJson: 'vocab.json',
        tokenScoresJson: 'token_scores.json',
      },
    ],
    [
      'pocket-tts-int8 with both forms',
      [
        'lm_flow.onnx',
        'lm_flow.int8.onnx',
        'lm_main.onnx',
        'lm_main.int8.onnx',
        'encoder.onnx',
        'decoder.onnx',
        'decoder.int8.onnx',
        'text_conditioner.onnx',
        'vocab.json',
        'token_scores.json',
      ],
      'pocket',
      {
        lmMain: 'lm_main.int8.onnx',
        lmFlow: 'lm_flow.int8.onnx',
        encoder: 'encoder.onnx',
        decoder: 'decoder.int8.onnx',
        textConditioner: 'text_conditioner.onnx',
        vocabJson: 'vocab.json',
        tokenScoresJson: 'token_scores.json',
      },
    ],
    [
      'sherpa-onnx-supertonic-3-tts-int8-2026-05-11',
      [
        'tts.json',
        'unicode_indexer.bin',
        'voice.bin',
        'duration_predictor.int8.onnx',
        'text_encoder.int8.onnx',
        'vector_estimator.int8.onnx',
        'vocoder.int8.onnx',
      ],
      'supertonic',
      {
        durationPredictor: 'duration_predictor.int8.onnx',
        textEncoder: 'text_encoder.int8.onnx',
        vectorEstimator: 'vector_estimator.int8.onnx',
        vocoder: 'vocoder.int8.onnx',
        ttsJson: 'tts.json',
        unicodeIndexer: 'unicode_indexer.bin',
        voiceStyle: 'voice.bin',
      },
    ],
  ])('recognises the family and the files of %s', (folder, names, family, files) => {
    expect(identifyVoiceModel(folder, names)).toEqual({ family, files, ruleFsts: undefined })
  })

  it('includes the rules for dates and numbers', () => {
    const names = ['model.onnx', 'tokens.txt', 'date.fst', 'number.fst']
    expect(identifyVoiceModel('any', names)?.ruleFsts).toBe('date.fst,number.fst')
  })

  it.each([[['readme.txt']], [['model.onnx']], [['encoder.onnx', 'decoder.onnx', 'tokens.txt']]])(
    'recognises no model in %s',
    (names) => expect(identifyVoiceModel('any', names)).toBeUndefined(),
  )
})
