import type { Operation } from '../operation.ts'

export const openapiOperation: Operation = {
  method: 'get',
  path: '/openapi.yaml',
  summary: 'This description',
  key: 'none',
  responses: { 'application/yaml': 'text' },
}
