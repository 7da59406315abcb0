import { openAiSpeechRequestSchema } from '@parlando/core/wire'
import { named, type Operation } from '../operation.ts'

export const audioSpeechOperation: Operation = {
  method: 'post',
  path: '/v1/audio/speech',
  summary: 'Speaks a text; request and response have the format of the OpenAI API',
  key: 'basic or bearer',
  body: named('SpeechBytesRequest', openAiSpeechRequestSchema),
  bodyExample: { input: 'Hi.', voice: 'Kit', model: 'svc-tts-2-flash', response_format: 'pcm' },
  responses: {
    'audio/mpeg': 'bytes',
    'audio/wav': 'bytes',
    'audio/ogg': 'bytes',
    'audio/flac': 'bytes',
    'audio/pcm': 'bytes',
  },
}
