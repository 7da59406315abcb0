import { type FoundModel, findModel } from '../../recognisers/registry.ts'
import type { AppContext } from '../endpoint.ts'

/** Finds the model of a request by its name or by an alias. @throws {ServiceError} if there is none. */
export function findRequestedModel(
  { recognisers, modelAliases }: AppContext,
  { modelId, language }: { modelId?: string; language?: string },
): FoundModel {
  const named = modelId === undefined ? undefined : (modelAliases?.get(modelId) ?? modelId)
  return findModel(recognisers, { modelId: named, language })
}
