import { type FoundModel, findModel, type RunningRecognisers } from '../recognisers/registry.ts'
import type { ServiceContext } from '../speaking/synthesis-request.ts'

/** Finds the model of a request by its name or by an alias. @throws {ServiceError} if there is none. */
export function findRequestedModel(
  {
    recognisers,
    modelAliases,
  }: Pick<ServiceContext, 'modelAliases'> & { recognisers: RunningRecognisers },
  { modelId, language }: { modelId?: string; language?: string },
): FoundModel {
  const named = modelId === undefined ? undefined : (modelAliases?.get(modelId) ?? modelId)
  return findModel(recognisers, { modelId: named, language })
}
