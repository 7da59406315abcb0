import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { programPath } from '../../program-path.ts'

const path = programPath('openapi.yaml')

/** `GET /openapi.yaml`: what the service understands, in OpenAPI 3.1. */
export function addOpenapiRoute(app: Hono): void {
  app.get('/openapi.yaml', async (context) =>
    context.body(await readFile(path), 200, { 'content-type': 'application/yaml' }),
  )
}
