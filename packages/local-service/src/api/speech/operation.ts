import { problemSchema, speechRequestSchema, speechResultSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { named, type Operation } from '../operation.ts'

const body = named('SpeechRequest', speechRequestSchema)

// Short, with the cheapest voice and encoding, because the fuzz tests send it often.
const bodyExample = {
  text: 'Hi.',
  voiceId: 'Kit',
  modelId: 'svc-tts-2-flash',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
  language: 'en-US',
}

const line = z.union([z.object({ result: speechResultSchema }), z.object({ error: problemSchema })])

export const speechOperation: Operation = {
  method: 'post',
  path: '/tts/v1/voice',
  summary: 'Speaks a text and returns the whole audio',
  key: 'basic',
  body,
  bodyExample,
  responses: { 'application/json': named('SpeechResult', speechResultSchema) },
}

export const speechStreamOperation: Operation = {
  method: 'post',
  path: '/tts/v1/voice:stream',
  summary:
    'Speaks a text and streams the audio: a line of JSON for each chunk, with `result` or, in the last line only, `error`',
  key: 'basic',
  body,
  bodyExample: { ...bodyExample, timestampType: 'WORD' },
  responses: { 'application/json': named('SpeechLine', line) },
}
