import { transcriptionRequestSchema, transcriptionResponseSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

// The header of a WAV file, without samples.
const emptyWav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA='

export const transcribeOperation: Operation = {
  method: 'post',
  path: '/stt/v1/transcribe',
  summary: 'Transcribes a recording: WAV, MP3, Ogg Opus, WebM, FLAC, or PCM as LINEAR16',
  key: 'basic',
  body: named('TranscriptionRequest', transcriptionRequestSchema),
  bodyExample: {
    transcribeConfig: {
      modelId: 'pocketsphinx/en-us',
      audioEncoding: 'AUTO_DETECT',
      language: 'en-US',
      includeWordTimestamps: true,
      sentences: ['turn on the light', 'turn off the light'],
    },
    audioData: { content: emptyWav },
  },
  responses: { 'application/json': named('TranscriptionResponse', transcriptionResponseSchema) },
}
