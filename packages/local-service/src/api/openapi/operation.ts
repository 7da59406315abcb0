import type { Operation } from '../operation.ts'

export const openapiOperation: Operation = {
  method: 'get',
  path: '/openapi.yaml',
  summary: 'Returns this OpenAPI description',
  key: 'none',
  responses: { 'application/yaml': 'text' },
}
