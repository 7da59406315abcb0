import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { addAdminRoutes } from './admin-routes.ts'
import type { DeviceService } from './device-service.ts'

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
  addAdminRoutes(RED as unknown as NodeAPI, {} as DeviceService)
  expect(routes).toEqual({
    '/parlando/stop': 'parlando.write',
    '/parlando/voices': 'flows.write',
    '/parlando/models': 'flows.write',
    '/parlando/recognisers': 'flows.write',
    '/parlando/listen': 'flows.write',
    '/parlando/test': 'flows.write',
    '/parlando/local-models': 'flows.write',
    '/parlando/local-models/install': 'flows.write',
    '/parlando/local-models/cancel': 'flows.write',
    '/parlando/local-models/remove': 'flows.write',
    '/parlando/deployed/voices': 'parlando.read',
    '/parlando/deployed/models': 'parlando.read',
    '/parlando/deployed/recognisers': 'parlando.read',
    '/parlando/deployed/listen': 'parlando.write',
    '/parlando/deployed/test': 'parlando.write',
  })
})
