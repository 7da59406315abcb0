import { z } from 'zod'
import { named, type Operation } from '../../operation.ts'

export const deleteVoiceOperation: Operation = {
  method: 'delete',
  path: '/voices/v1/voices/{voiceId}',
  summary: 'Deletes a cloned voice',
  key: 'basic',
  responses: { 'application/json': named('Nothing', z.object({})) },
}
