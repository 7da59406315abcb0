import type { TranscriptionModel } from '@parlando/core/wire'
import { listModels } from '../../../recognisers/registry.ts'
import type { Endpoint } from '../../endpoint.ts'
import { transcriptionModelsOperation } from './operation.ts'

/** An extension. The list of the OpenAI API has no room for languages and abilities, which forms show. */
export const transcriptionModels: Endpoint = {
  operation: transcriptionModelsOperation,
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
