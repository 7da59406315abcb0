import { transcriptionModelListSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

export const transcriptionModelsOperation: Operation = {
  method: 'get',
  path: '/stt/v1/models',
  summary: 'Lists the models of the recognisers, the preferred ones first',
  key: 'basic',
  responses: { 'application/json': named('TranscriptionModelList', transcriptionModelListSchema) },
}
