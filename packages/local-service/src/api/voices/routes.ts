import type { Hono } from 'hono'
import { ServiceError } from '../../errors.ts'
import { limitBody } from '../../http/read-json.ts'
import type { ServiceContext } from '../../speech/synthesis-request.ts'
import { createCloneHandler, maxCloneBodyBytes } from './clone/route.ts'
import { addOlderVoiceListRoute, addVoiceListRoutes } from './list/route.ts'
import { addOneVoiceRoutes } from './one/route.ts'
import { addPreviewRoute } from './preview/route.ts'

/** Everything below `/voices/v1`, the preview of a voice and the older list. */
export function addVoiceRoutes(app: Hono, options: ServiceContext): void {
  addOlderVoiceListRoute(app, options)
  addPreviewRoute(app, options)
  const clone = createCloneHandler(options)
  // There is one workspace here, whatever it is called.
  for (const path of ['/voices/v1/voices', '/voices/v1/workspaces/:workspace/voices']) {
    addVoiceListRoutes(app, path, options)
    addOneVoiceRoutes(app, path, options)
    app.post(`${path}:clone`, limitBody(maxCloneBodyBytes), clone)
    app.post(`${path}:design`, () => {
      const message =
        'This service cannot design voices: choose one that GET /voices/v1/voices lists, or clone one with POST /voices/v1/voices:clone'
      throw new ServiceError('UNIMPLEMENTED', message)
    })
    app.post(`${path}/:voiceId{.+:publish}`, () => {
      const message =
        'There is nothing to publish here: a cloned voice stays until it is deleted, and PATCH changes its texts'
      throw new ServiceError('UNIMPLEMENTED', message)
    })
  }
}
