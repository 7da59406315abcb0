import { voiceListRequestSchema, voiceListSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

export const listVoicesOperation: Operation = {
  method: 'get',
  path: '/voices/v1/voices',
  summary: 'Lists the voices, in pages if the request asks for them',
  key: 'basic',
  query: named('VoiceListRequest', voiceListRequestSchema),
  responses: { 'application/json': named('VoiceList', voiceListSchema) },
}
