import type { Hono } from 'hono'
import type { Metrics } from './metrics.ts'

/** `GET /metrics`, for Prometheus. */
export function addMetricsRoute(app: Hono, { metrics }: { metrics?: Metrics }): void {
  if (!metrics) return
  app.get('/metrics', async (context) => {
    const { text, contentType } = await metrics.write()
    return context.body(text, 200, { 'content-type': contentType })
  })
}
