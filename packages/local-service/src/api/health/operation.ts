import { z } from 'zod'
import { named, type Operation } from '../operation.ts'

const health = z.object({
  status: z.enum(['ok', 'mute', 'stopping']),
  version: z.string(),
  engines: z.array(z.string()),
  voices: z.int(),
  /** The models of the recognisers. */
  recognisers: z.array(z.string()),
})

export const healthOperation: Operation = {
  method: 'get',
  path: '/healthz',
  summary: 'Reports whether the service can speak; 503 if it cannot or is about to stop',
  key: 'none',
  responses: { 'application/json': named('Health', health) },
}
