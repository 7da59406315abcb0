import type { Operation } from '../operation.ts'

export const metricsOperation: Operation = {
  method: 'get',
  path: '/metrics',
  summary: 'Returns metrics in the format of Prometheus',
  key: 'basic or bearer',
  responses: { 'text/plain': 'text' },
}
