import type { Client, ParlandoError } from '@parlando/core'
import { firstCharacters } from '@parlando/core/text'
import { textOf } from '../../../runtime/admin-route.ts'
import { voiceRequests } from '../../../studio-server/voice-requests.ts'
import { testService } from './test-connection.ts'

// Long enough for an impression of a voice, short enough for a quick response.
const maxTextCharacters = 300

type Body = Record<string, unknown>
export type ServiceRequest = (client: Client, body: Body, signal: AbortSignal) => Promise<object>

type PermittedRequest = [permission: string, send: ServiceRequest]

/** What forms request of a service, and the permission for it. */
export const serviceRequests: Readonly<Record<string, PermittedRequest>> = {
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
        text: firstCharacters(textOf(text), maxTextCharacters),
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
    Object.entries(voiceRequests).map(([path, send]): [string, PermittedRequest] => [
      path,
      ['parlando.write', (client, body, signal) => send(client, body, { signal })],
    ]),
  ),
}

/** They change the machine of the service, so there are none for deployed services. */
export const modelRequests: Readonly<Record<string, ServiceRequest>> = {
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

/** The response for a service without this request, which only the local service has. @throws any other error. */
function emptyIfUnknown(error: unknown): { models?: never; problem?: never; needsAddon?: never } {
  if ((error as Partial<ParlandoError>).code === 'NOT_FOUND') return {}
  throw error
}
