import type { Endpoint } from '../endpoint.ts'
import { metricsOperation } from './operation.ts'

export const metrics: Endpoint = {
  operation: metricsOperation,
  createHandler: ({ metrics }) => {
    if (!metrics) return undefined
    return async (context) => {
      const { text, contentType } = await metrics.write()
      return context.body(text, 200, { 'content-type': contentType })
    }
  },
}
