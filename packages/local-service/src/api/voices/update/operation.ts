import { voiceSchema, voiceUpdateSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

export const updateVoiceOperation: Operation = {
  method: 'patch',
  path: '/voices/v1/voices/{voiceId}',
  summary: 'Changes the texts of a cloned voice',
  key: 'basic',
  body: named('VoiceUpdate', voiceUpdateSchema),
  bodyExample: { displayName: 'Gran', description: 'Calm.', tags: ['family'] },
  responses: { 'application/json': named('Voice', voiceSchema) },
}
