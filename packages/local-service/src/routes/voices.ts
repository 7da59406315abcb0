import type { Hono } from 'hono'
import type { Catalogue } from '../voices/catalogue.ts'
import { addOneVoiceRoutes } from './one-voice.ts'
import { addOlderVoiceListRoute, addVoiceListRoutes } from './voice-list.ts'

export interface VoiceRouteOptions {
  catalogue: Catalogue
}

/** Everything below `/voices/v1`, and the older list of voices. */
export function addVoiceRoutes(app: Hono, options: VoiceRouteOptions): void {
  addOlderVoiceListRoute(app, options)
  // There is one workspace here, whatever it is called.
  for (const path of ['/voices/v1/voices', '/voices/v1/workspaces/:workspace/voices']) {
    addVoiceListRoutes(app, path, options)
    addOneVoiceRoutes(app, path, options)
  }
}
