import type { TranscriptionModel } from '@parlando/core/wire'
import { transcriptionModelListSchema } from '@parlando/core/wire'
import { listModels } from '../../recognisers/recogniser-registry.ts'
import { type Endpoint, named } from '../app/endpoint.ts'

/** An extension. The list of the OpenAI API has no room for languages and abilities, which forms show. */
export const transcriptionModels: Endpoint = {
  operation: {
    method: 'get',
    path: '/stt/v1/models',
    summary: 'Lists the models of the recognisers, the preferred ones first',
    key: 'basic',
    responses: {
      'application/json': named('TranscriptionModelList', transcriptionModelListSchema),
    },
  },
  createHandler:
    ({ recognisers }) =>
    (context) => {
      const models = listModels(recognisers).map(({ model }): TranscriptionModel => {
        const { modelId, displayName, langCodes } = model
        const { hasInterimResults, timesWords, matchesSentences } = model
        const abilities = { hasInterimResults, timesWords, matchesSentences }
        return { modelId, displayName, langCodes: [...langCodes], ...abilities }
      })
      return context.json({ models })
    },
}
