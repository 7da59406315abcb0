import type { Hono } from 'hono'
import packageJson from '../../../package.json' with { type: 'json' }
import type { RunningEngines } from '../../engines/registry.ts'
import type { Catalogue } from '../../voices/catalogue.ts'

export interface HealthRouteOptions {
  engines: RunningEngines
  catalogue: Catalogue
  /** Whether the service was told to stop. Default: no. */
  isStopping?(): boolean
}

/** `GET /healthz`: 200 when it can speak, 503 when it cannot or is about to end. */
export function addHealthRoute(app: Hono, options: HealthRouteOptions): void {
  app.get('/healthz', (context) => {
    const engines = [...options.engines.keys()]
    const status = options.isStopping?.() ? 'stopping' : engines.length > 0 ? 'ok' : 'mute'
    const voices = options.catalogue.list().length
    const body = { status, version: packageJson.version, engines, voices }
    return context.json(body, status === 'ok' ? 200 : 503)
  })
}
