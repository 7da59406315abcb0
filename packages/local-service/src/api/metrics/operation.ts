import type { Operation } from '../operation.ts'

export const metricsOperation: Operation = {
  method: 'get',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  key: 'basic or bearer',
  responses: { 'text/plain': 'text' },
}
