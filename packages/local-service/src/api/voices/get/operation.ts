import { voiceSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

export const getVoiceOperation: Operation = {
  method: 'get',
  path: '/voices/v1/voices/{voiceId}',
  summary: 'Returns a voice',
  key: 'basic',
  responses: { 'application/json': named('Voice', voiceSchema) },
}
