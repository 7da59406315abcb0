import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Hono } from 'hono'

// By the package's own name, so that it is found from the sources as well as from the built files.
const path = createRequire(import.meta.url).resolve('@parlando/local-service/openapi.yaml')

/** `GET /openapi.yaml`: what the service understands, in OpenAPI 3.1. */
export function addOpenapiRoute(app: Hono): void {
  app.get('/openapi.yaml', async (context) =>
    context.body(await readFile(path), 200, { 'content-type': 'application/yaml' }),
  )
}
