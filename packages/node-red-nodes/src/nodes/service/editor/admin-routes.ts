import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ParlandoError } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import { type AdminHandler, addAdminRoute, textOf } from '../../../runtime/admin-route.ts'
import { NodeInputError } from '../../../runtime/failure.ts'
import type { ServiceNode } from '../../../runtime/find-service.ts'
import type { RecentSpeech } from '../../../studio/recent-speech.ts'
import { voiceRequests } from '../../../studio/voice-requests.ts'
import type { DeviceService } from '../device-service.ts'
import { ServiceConnection } from '../service-connection.ts'
import { createEditorConnections, type UnsavedService } from './editor-connections.ts'
import { testService } from './test-connection.ts'

// Long enough for an impression of a voice, short enough for a quick response.
const maxTextCharacters = 300

type Body = Record<string, unknown>
type ServiceRequest = (client: Client, body: Body, signal: AbortSignal) => Promise<object>

/** What forms request of a service, and the permission for it. */
const serviceRequests: Readonly<Record<string, [permission: string, send: ServiceRequest]>> = {
  voices: [
    'parlando.read',
    async (client, _body, signal) => {
      const { voices, problems } = await client.listVoices({}, { signal })
      return { voices, problems }
    },
  ],
  models: [
    'parlando.read',
    async (client, _body, signal) => {
      const { models } = await client.listChatModels({ signal })
      return { models: models.filter(({ isSupported }) => isSupported !== false) }
    },
  ],
  recognisers: [
    'parlando.read',
    async (client, _body, signal) => {
      const list = await client.listTranscriptionModels({ signal }).catch(emptyIfUnknown)
      return { models: list.models }
    },
  ],
  'wake-words': [
    'parlando.read',
    async (client, _body, signal) => {
      const list = await client.listWakeWordModels({ signal }).catch(emptyIfUnknown)
      return { models: list.models }
    },
  ],
  listen: [
    'parlando.write',
    async (client, { text, voiceId, modelId }, signal) => {
      const request = {
        text: textOf(text).slice(0, maxTextCharacters),
        voiceId: textOf(voiceId),
        modelId: textOf(modelId),
      }
      const { audio, mediaType } = await client.synthesize(request, { signal })
      return { audio: Buffer.from(audio).toString('base64'), mediaType }
    },
  ],
  test: [
    'parlando.write',
    (client, { modelId }, signal) => testService(client, textOf(modelId), signal),
  ],
  ...Object.fromEntries(
    Object.entries(voiceRequests).map(([path, send]): [string, [string, ServiceRequest]] => [
      path,
      ['parlando.write', (client, body, signal) => send(client, body, { signal })],
    ]),
  ),
}

/** They change the machine of the service, so there are none for deployed services. */
const modelRequests: Readonly<Record<string, ServiceRequest>> = {
  async 'local-models'(client, _body, signal) {
    const list = await client.listLocalModels({ signal }).catch(emptyIfUnknown)
    const { models, problem, needsAddon } = list
    return { models, problem, needsAddon }
  },
  'local-models/cancel': (client, { name }, signal) =>
    client.cancelLocalModel(textOf(name), { signal }),
  'local-models/remove': (client, { name }, signal) =>
    client.removeLocalModel(textOf(name), { signal }),
}

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
  route('kept-sound', 'parlando.read', async ({ id }) => deployedService(RED, id).speech.report())
  route('kept-sound/clear', 'parlando.write', async ({ id }) => {
    const { speech } = deployedService(RED, id)
    await speech.clear()
    return speech.report()
  })
  route('studio/recent', 'parlando.read', async () => ({ texts: recentSpeech.list() }))
  route('studio/recent/sound', 'parlando.read', async ({ id }) => {
    const sound = recentSpeech.soundOf(textOf(id))
    if (!sound) throw new NodeInputError(RED._('service.error.sound-gone'))
    const { audio, mediaType } = sound
    return { audio: Buffer.from(audio).toString('base64'), mediaType }
  })
  route('studio/recent/clear', 'parlando.write', async () => {
    recentSpeech.clear()
    return { texts: [] }
  })
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

/** @throws {NodeInputError} if the configuration node does not run. */
function deployedService(RED: NodeAPI, id: unknown): ServiceNode {
  const node = RED.nodes.getNode(textOf(id)) as ServiceNode | null
  if (typeof node?.speech?.report !== 'function') {
    throw new NodeInputError(RED._('service.error.not-deployed'))
  }
  return node
}

/** The response for a service without this request, which only the local service has. @throws any other error. */
function emptyIfUnknown(error: unknown): { models?: never; problem?: never; needsAddon?: never } {
  if ((error as Partial<ParlandoError>).code === 'NOT_FOUND') return {}
  throw error
}

/**
 * Keeps the process on this device running until it installs no model any more. The user may close the editor during a
 * download, and the flow may have no node that uses the service.
 */
export async function keepWhileInstalling(
  device: DeviceService,
  intervalMs = 2_000,
): Promise<void> {
  const connection = new ServiceConnection({ acquire: device.acquire })
  const isInstalling = async (client: Client) => {
    const { models } = await client.listLocalModels()
    return models.some(({ installation }) => installation && installation.state !== 'failed')
  }
  try {
    await connection.use(async (client) => {
      while (await isInstalling(client)) await delay(intervalMs, undefined, { ref: false })
    })
  } catch {
    // The process has exited, and the installation with it. The dialog reports that.
  } finally {
    await connection.close()
  }
}
