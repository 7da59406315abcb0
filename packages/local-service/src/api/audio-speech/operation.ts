import { openAiSpeechRequestSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { named, type Operation } from '../operation.ts'

/** As programs for the OpenAI API send it. */
export const audioSpeechSchema = openAiSpeechRequestSchema.extend({
  /** The id of a voice; the OpenAI API also allows an object with the id. */
  voice: z.union([
    openAiSpeechRequestSchema.shape.voice,
    z.strictObject({ id: openAiSpeechRequestSchema.shape.voice }),
  ]),
  /** `sse` sends the audio as server-sent events. Default `audio`. */
  stream_format: z.enum(['audio', 'sse']).optional(),
})

export const audioSpeechOperation: Operation = {
  method: 'post',
  path: '/v1/audio/speech',
  summary: 'Speaks a text; request and response have the format of the OpenAI API',
  key: 'basic or bearer',
  body: named('SpeechBytesRequest', audioSpeechSchema),
  bodyExample: { input: 'Hi.', voice: 'Kit', model: 'svc-tts-2-flash', response_format: 'pcm' },
  responses: {
    'audio/mpeg': 'bytes',
    'audio/wav': 'bytes',
    'audio/ogg': 'bytes',
    'audio/flac': 'bytes',
    'audio/pcm': 'bytes',
    'text/event-stream': 'text',
  },
}
