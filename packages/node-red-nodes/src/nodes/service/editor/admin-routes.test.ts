import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { RecentSpeech } from '../../../studio-server/recent-speech.ts'
import type { DeviceService } from '../device-service.ts'
import { addAdminRoutes } from './admin-routes.ts'

it('demands the permission to change flows for each address, key or variable that is not deployed', () => {
  const routes: Record<string, unknown> = {}
  const RED = {
    auth: { needsPermission: (permission: string) => permission },
    httpAdmin: {
      post(path: string, permission: string) {
        routes[path] = permission
      },
    },
  }
  addAdminRoutes(RED as unknown as NodeAPI, {} as DeviceService, new RecentSpeech(() => {}))
  expect(routes).toEqual({
    '/parlando/stop': 'parlando.write',
    '/parlando/voices': 'flows.write',
    '/parlando/models': 'flows.write',
    '/parlando/recognisers': 'flows.write',
    '/parlando/wake-words': 'flows.write',
    '/parlando/listen': 'flows.write',
    '/parlando/test': 'flows.write',
    '/parlando/studio/clone': 'flows.write',
    '/parlando/studio/change': 'flows.write',
    '/parlando/studio/delete': 'flows.write',
    '/parlando/studio/export': 'flows.write',
    '/parlando/studio/import': 'flows.write',
    '/parlando/studio/recent': 'parlando.read',
    '/parlando/studio/recent/sound': 'parlando.read',
    '/parlando/studio/recent/clear': 'parlando.write',
    '/parlando/kept-sound': 'parlando.read',
    '/parlando/kept-sound/clear': 'parlando.write',
    '/parlando/local-models': 'flows.write',
    '/parlando/local-models/install': 'flows.write',
    '/parlando/local-models/cancel': 'flows.write',
    '/parlando/local-models/remove': 'flows.write',
    '/parlando/deployed/voices': 'parlando.read',
    '/parlando/deployed/models': 'parlando.read',
    '/parlando/deployed/recognisers': 'parlando.read',
    '/parlando/deployed/wake-words': 'parlando.read',
    '/parlando/deployed/listen': 'parlando.write',
    '/parlando/deployed/test': 'parlando.write',
    '/parlando/deployed/studio/clone': 'parlando.write',
    '/parlando/deployed/studio/change': 'parlando.write',
    '/parlando/deployed/studio/delete': 'parlando.write',
    '/parlando/deployed/studio/export': 'parlando.write',
    '/parlando/deployed/studio/import': 'parlando.write',
  })
})
