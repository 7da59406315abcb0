import { readFile } from 'node:fs/promises'
import { programPath } from '../../processes/program.ts'
import type { Endpoint } from '../app/endpoint.ts'

export const openapi: Endpoint = {
  operation: {
    method: 'get',
    path: '/openapi.yaml',
    summary: 'Returns this OpenAPI description',
    key: 'none',
    responses: { 'application/yaml': 'text' },
  },
  createHandler() {
    let description: Promise<Buffer<ArrayBuffer>> | undefined
    return async (context) => {
      description ??= readFile(programPath('openapi.yaml'))
      return context.body(await description, 200, { 'content-type': 'application/yaml' })
    }
  },
}
