import type { Node, NodeAPI } from 'node-red'
import { type AdminHandler, addAdminRoute, textOf } from '../../../runtime/admin-route.ts'
import { NodeInputError } from '../../../runtime/failure.ts'
import type { RecentSpeech } from '../../../studio-server/recent-speech.ts'
import type { DeviceService } from '../device-service.ts'
import { createEditorConnections, type UnsavedService } from './editor-connections.ts'
import { modelRequests, type ServiceRequest, serviceRequests } from './form-requests.ts'
import { keepWhileInstalling } from './keep-while-installing.ts'
import { addSoundRoutes } from './sound-routes.ts'

/**
 * The routes of the forms. Each takes `{ service: { id, location, baseUrl, apiKey } }`, whose settings need not be deployed, and
 * responds with JSON; a failure is `{ error: { code, message } }`. The route uses the key for this request only and never
 * returns it. Users who may not change flows use `parlando/deployed/…`, which reads only the id; they cannot install models.
 */
export function addAdminRoutes(
  RED: NodeAPI,
  device: DeviceService,
  recentSpeech: RecentSpeech,
): void {
  const connections = createEditorConnections(RED, device)
  const route = (path: string, permission: string, handle: AdminHandler) =>
    addAdminRoute(RED, path, permission, handle)
  // A user who may not change flows must choose neither the address to which Node-RED sends a request nor the
  // environment variable that it sends as the key.
  const formRoute = (path: string, send: ServiceRequest) =>
    route(path, 'flows.write', ({ service, ...body }, signal) =>
      connections.use(readService(service), (client) => send(client, body, signal)),
    )

  route('stop', 'parlando.write', async ({ id }) => stopNode(RED, textOf(id)))
  for (const [path, [permission, send]] of Object.entries(serviceRequests)) {
    formRoute(path, send)
    route(`deployed/${path}`, permission, ({ service, ...body }, signal) => {
      const deployed = connections.deployed(readService(service))
      return connections.use(deployed, (client) => send(client, body, signal))
    })
  }
  for (const [path, send] of Object.entries(modelRequests)) formRoute(path, send)
  addSoundRoutes(RED, recentSpeech)
  route('local-models/install', 'flows.write', async (body, signal) => {
    const service = readService(body.service)
    const request = { name: textOf(body.name), acceptedLicence: textOf(body.acceptedLicence) }
    const model = await connections.use(service, (client) =>
      client.installLocalModel(request, { signal }),
    )
    if (service.location !== 'hosted') void keepWhileInstalling(device)
    return model
  })
}

/** Reads only texts: anybody who may change flows can send anything. */
function readService(value: unknown): UnsavedService {
  const { id, location, baseUrl, apiKey } = (value ?? {}) as Record<string, unknown>
  return {
    id: textOf(id),
    location: location === 'hosted' ? 'hosted' : 'device',
    baseUrl: textOf(baseUrl),
    ...(typeof apiKey === 'string' && { apiKey }),
  }
}

/** Sends a node its own message for this, which only the nodes of this package know. */
function stopNode(RED: NodeAPI, id: string): object {
  // For the id `__proto__`, Node-RED returns an object without a type.
  const node = RED.nodes.getNode(id) as (Node & { receive(message: object): void }) | null
  if (!node?.type?.startsWith('parlando-')) {
    throw new NodeInputError(RED._('service.error.not-deployed'))
  }
  node.receive({ stop: true })
  return {}
}
