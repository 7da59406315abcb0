import { voicePreviewSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { named, type Operation } from '../../operation.ts'

const query = z.object({ voice_id: z.string(), model_id: z.string().optional() })

export const previewOperation: Operation = {
  method: 'get',
  path: '/tts/v1/voice:preview',
  summary: 'Returns an MP3 in which a voice introduces itself',
  key: 'basic',
  query: named('VoicePreviewQuery', query),
  responses: { 'application/json': named('VoicePreview', voicePreviewSchema) },
}
