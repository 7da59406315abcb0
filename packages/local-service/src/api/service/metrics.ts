import type { Endpoint } from '../app/endpoint.ts'

export const metrics: Endpoint = {
  operation: {
    method: 'get',
    path: '/metrics',
    summary: 'Returns metrics in the format of Prometheus',
    key: 'basic or bearer',
    responses: { 'text/plain': 'text' },
  },
  createHandler: ({ metrics }) => {
    if (!metrics) return undefined
    return async (context) => {
      const { text, contentType } = await metrics.write()
      return context.body(text, 200, { 'content-type': contentType })
    }
  },
}
