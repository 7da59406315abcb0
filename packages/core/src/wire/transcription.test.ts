import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  openAiTranscriptionRequestSchema,
  openAiTranscriptionSchema,
} from './audio-transcription.ts'
import { parseInWords } from './parse-in-words.ts'
import {
  transcribeConfigSchema,
  transcribeStreamMessageSchema,
  transcribeStreamResponseSchema,
  transcriptionResponseSchema,
} from './transcription.ts'

const problemsOf = (schema: z.ZodType, value: unknown) => {
  const parsed = parseInWords(schema, value)
  return 'problems' in parsed ? parsed.problems : []
}

it.each([
  [{ audioEncoding: 'AAC' }, 'audioEncoding must be one of AUTO_DETECT, LINEAR16, MP3'],
  [{ sampleRateHertz: 4000 }, 'sampleRateHertz must be between 8000 and 48000'],
  [{ wordTimestamps: true }, 'wordTimestamps is not a known field'],
  [{ sentences: [] }, 'sentences must contain at least one sentence'],
  [{ sentences: ['yes', ' '] }, 'sentences.1 must not be empty'],
  [{ sentences: ['x'.repeat(201)] }, 'sentences.0 must have at most 200 characters'],
  [{ sentences: Array(5001).fill('yes') }, 'sentences must have at most 5000'],
])('a transcription config names its problem: %j', (config, problem) => {
  expect(problemsOf(transcribeConfigSchema, config)[0]).toContain(problem)
})

it('an encoding is accepted in any letter case', () => {
  expect(transcribeConfigSchema.parse({ audioEncoding: 'ogg_opus' })).toEqual({
    audioEncoding: 'OGG_OPUS',
  })
})

describe('a transcription response', () => {
  const transcription = { transcript: 'hello' }

  it('keeps fields that this version does not know', () => {
    const response = { transcription: { ...transcription, mood: 'calm' }, voiceProfile: {} }
    expect(transcriptionResponseSchema.parse(response)).toEqual(response)
  })

  it.each([
    [{ transcription: { ...transcription, wordTimestamps: [{ word: 1 }] } }],
    [{ transcription: { ...transcription, sentenceMatch: { sentence: 1 } } }],
    [{ transcription, usage: 'much' }],
  ])('keeps the transcript if the rest is malformed: %j', (response) => {
    expect(transcriptionResponseSchema.parse(response)).toMatchObject({ transcription })
  })
})

describe('a message of a client on the socket', () => {
  it.each([
    { transcribeConfig: { modelId: 'a', vadThreshold: 0, maxTurnSilence: 500 } },
    { audioChunk: { content: 'AAAA' } },
    { endTurn: {} },
    { closeStream: {} },
  ])('has one member: %j', (message) => {
    expect(transcribeStreamMessageSchema.parse(message)).toEqual(message)
  })

  it.each([
    [{}, 'a message has exactly one of transcribeConfig, audioChunk, endTurn and closeStream'],
    [{ endTurn: {}, closeStream: {} }, 'a message has exactly one of transcribeConfig, '],
    [{ audioChunk: {} }, 'audioChunk.content is missing'],
    [
      { transcribeConfig: { maxTurnSilence: 5 } },
      'transcribeConfig.maxTurnSilence must be between',
    ],
  ])('names its problem: %j', (message, problem) => {
    expect(problemsOf(transcribeStreamMessageSchema, message)[0]).toContain(problem)
  })
})

it.each([
  { result: { transcription: { transcript: 'hel', isFinal: false } } },
  { result: { speechStarted: { startTimeMs: 120, confidence: 0.9 } } },
  { result: { speechStopped: { silenceDurationMs: 500 } } },
  { result: { usage: { transcribedAudioMs: 1200, modelId: 'a' } } },
  { result: { moodDetected: {} } },
  { error: { code: 3, message: 'no' } },
  { error: 'no' },
])('a message of the service on the socket passes unchanged: %j', (message) => {
  expect(transcribeStreamResponseSchema.parse(message)).toEqual(message)
})

describe('a transcription in the OpenAI format', () => {
  it('is requested in one of five formats', () => {
    const request = { model: 'm', response_format: 'docx' }
    expect(problemsOf(openAiTranscriptionRequestSchema, request)).toEqual([
      'response_format must be one of json, text, srt, vtt, verbose_json',
    ])
  })

  it('keeps its text if the times are malformed', () => {
    expect(openAiTranscriptionSchema.parse({ text: 'hello', words: [{}], segments: 7 })).toEqual({
      text: 'hello',
    })
  })
})
