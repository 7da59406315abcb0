import type { Client } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError, toFailure } from '../../shared/failure.ts'
import { testService } from './connection-test.ts'
import type { DeviceService } from './device-service.ts'
import { createEditorConnections, type UnsavedService } from './editor-connections.ts'

// Long enough for an impression of a voice, short enough for a quick response.
const maxTextCharacters = 300

type Handler = (body: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>

/**
 * The routes of the forms, for settings that may not be deployed yet: `parlando/voices`, `parlando/models`,
 * `parlando/listen` and `parlando/test`. Each of these takes `{ service: { id, location, baseUrl, apiKey } }` and responds with JSON;
 * a failure is `{ error: { code, message } }`. A POST request carries the key, which
 * the route uses for this request only and never returns. Users who may only read get the lists of deployed services:
 * `parlando/deployed/voices` and `parlando/deployed/models` use only the id.
 */
export function addAdminRoutes(RED: NodeAPI, device: DeviceService): void {
  const connections = createEditorConnections(RED, device)

  const route = (path: string, handle: Handler, permission = 'parlando.write') => {
    RED.httpAdmin.post(
      `/parlando/${path}`,
      RED.auth.needsPermission(permission),
      async (request, response) => {
        const disconnected = new AbortController()
        response.on('close', () => disconnected.abort())
        try {
          response.json(await handle(request.body ?? {}, disconnected.signal))
        } catch (error) {
          if (disconnected.signal.aborted) return
          const failure = toFailure(error)
          const problem = { code: failure.code, message: String(failure) }
          response.status(422).json({ error: problem })
        }
      },
    )
  }

  // A node's own message for this. Only these nodes know it.
  route('stop', async ({ id }) => {
    const node = RED.nodes.getNode(String(id)) as (Node & { receive(message: object): void }) | null
    if (!node?.type.startsWith('parlando-')) {
      throw new NodeInputError(RED._('service.error.not-deployed'))
    }
    node.receive({ stop: true })
    return {}
  })

  const lists: Record<string, (client: Client, signal: AbortSignal) => Promise<object>> = {
    async voices(client, signal) {
      const { voices } = await client.listVoices({}, { signal })
      return { voices }
    },
    async models(client, signal) {
      const { models } = await client.listChatModels({ signal })
      return { models: models.filter(({ isSupported }) => isSupported !== false) }
    },
  }
  for (const [path, list] of Object.entries(lists)) {
    const listFor = (service: unknown, signal: AbortSignal) =>
      connections.use(service as UnsavedService, (client) => list(client, signal))
    route(path, ({ service }, signal) => listFor(service, signal))
    // A user who may not change flows must not choose the address to which Node-RED sends a request.
    route(
      `deployed/${path}`,
      ({ service }, signal) => listFor(connections.deployed(service as UnsavedService), signal),
      'parlando.read',
    )
  }

  route('listen', ({ service, text, voiceId, modelId }, signal) =>
    connections.use(service as UnsavedService, async (client) => {
      const request = {
        text: String(text).slice(0, maxTextCharacters),
        voiceId: String(voiceId),
        modelId: String(modelId),
      }
      const { audio, mediaType } = await client.synthesize(request, { signal })
      return { audio: Buffer.from(audio).toString('base64'), mediaType }
    }),
  )

  route('test', ({ service, modelId }, signal) =>
    connections.use(service as UnsavedService, (client) =>
      testService(client, String(modelId), signal),
    ),
  )
}
