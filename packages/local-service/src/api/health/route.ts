import packageJson from '../../../package.json' with { type: 'json' }
import { listModels } from '../../recognisers/registry.ts'
import type { Endpoint } from '../endpoint.ts'
import { healthOperation } from './operation.ts'

export const health: Endpoint = {
  operation: healthOperation,
  createHandler:
    ({ engines, catalogue, recognisers, isStopping }) =>
    (context) => {
      const status = isStopping?.() ? 'stopping' : engines.size > 0 ? 'ok' : 'mute'
      const body = {
        status,
        version: packageJson.version,
        engines: [...engines.keys()],
        voices: catalogue.list().length,
        recognisers: listModels(recognisers).map(({ model }) => model.modelId),
      }
      return context.json(body, status === 'ok' ? 200 : 503)
    },
}
