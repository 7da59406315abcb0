import { voiceCloneBodySchema, voiceCloneResponseSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

export const cloneVoiceOperation: Operation = {
  method: 'post',
  path: '/voices/v1/voices:clone',
  summary: 'Creates a voice from recordings: an imprint of pitch, timbre and pace',
  key: 'basic',
  body: named('VoiceCloneBody', voiceCloneBodySchema),
  responses: { 'application/json': named('VoiceCloneResponse', voiceCloneResponseSchema) },
}
