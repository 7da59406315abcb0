import { readFile } from 'node:fs/promises'
import { programPath } from '../../program-path.ts'
import type { Endpoint } from '../endpoint.ts'
import { openapiOperation } from './operation.ts'

export const openapi: Endpoint = {
  operation: openapiOperation,
  createHandler() {
    let description: Promise<Buffer<ArrayBuffer>> | undefined
    return async (context) => {
      description ??= readFile(programPath('openapi.yaml'))
      return context.body(await description, 200, { 'content-type': 'application/yaml' })
    }
  },
}
