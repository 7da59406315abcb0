import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { listModels } from '../../recognisers/recogniser-registry.ts'
import { type Endpoint, named } from '../app/endpoint.ts'

const healthSchema = z.object({
  status: z.enum(['ok', 'mute', 'stopping']),
  version: z.string(),
  engines: z.array(z.string()),
  voices: z.int(),
  /** The models of the recognisers. */
  recognisers: z.array(z.string()),
})

export const health: Endpoint = {
  operation: {
    method: 'get',
    path: '/healthz',
    summary: 'Reports whether the service can speak; 503 if it cannot or is about to stop',
    key: 'none',
    responses: { 'application/json': named('Health', healthSchema) },
  },
  createHandler:
    ({ engines, voiceList, recognisers, isLeaving }) =>
    (context) => {
      const status = isLeaving?.() ? 'stopping' : engines.size > 0 ? 'ok' : 'mute'
      const body = {
        status,
        version: packageJson.version,
        engines: [...engines.keys()],
        voices: voiceList.list().length,
        recognisers: listModels(recognisers).map(({ model }) => model.modelId),
      }
      return context.json(body, status === 'ok' ? 200 : 503)
    },
}
