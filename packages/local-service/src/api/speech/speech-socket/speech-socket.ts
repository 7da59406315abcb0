import {
  type SpeechSocketMessage,
  speechSocketLimits,
  speechSocketMessageSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../../../errors/service-error.ts'
import { camelCaseKeys } from '../../../requests/camel-case.ts'
import { parseRequest } from '../../../requests/parse-request.ts'
import { parseBody } from '../../../requests/read-json.ts'
import { endWithError } from '../../../server/sockets/client-socket.ts'
import type { SocketEndpoint } from '../../app/endpoint.ts'
import { OpenContexts } from './open-contexts.ts'

const { maxContextIdCharacters } = speechSocketLimits
const silenceLimitMs = 10 * 60_000
/** The context of a client that uses only one, without naming it. */
const unnamedId = ''

/** Speaks text while it is written: messages with text in, audio out. */
export const speechSocket: SocketEndpoint = {
  path: '/tts/v1/voice:streamBidirectional',
  createServer: (service, handshake) => async (socket) => {
    socket.limitSilence(silenceLimitMs)
    const contexts = new OpenContexts(service, handshake, socket)
    socket.watchWork(() => contexts.areSpeaking)
    try {
      for await (const bytes of socket.messages) await take(bytes, handshake, contexts)
      // The service stops, or the client has closed the socket.
      await contexts.closeAll()
    } catch (error) {
      const isSilence = error instanceof ServiceError && error.code === 'DEADLINE_EXCEEDED'
      if (isSilence) await contexts.closeAll()
      else contexts.abort()
      await endWithError(socket, error, service)
    }
  },
}

/** Performs a message. An error ends its context or, if the message names none, the connection. */
async function take(bytes: Buffer, handshake: Context, contexts: OpenContexts): Promise<void> {
  const json = camelCaseKeys(await parseBody(bytes, 'The message'))
  if (keepsOpen(json)) return
  const contextId = findContextId(json, contexts)
  try {
    const message = parseRequest(handshake, speechSocketMessageSchema, json)
    await perform(message, contextId, contexts)
  } catch (error) {
    await contexts.fail(contextId, error)
  }
}

/** Whether it only keeps the connection open. Clients send this while they have no context. */
function keepsOpen(json: unknown): boolean {
  const { contextId, sendText } = Object(json) as { contextId?: unknown; sendText?: unknown }
  return contextId === undefined && Object(sendText).text === ''
}

/** @throws {ServiceError} if nobody could relate a response to the message. */
function findContextId(json: unknown, { onlyId }: OpenContexts): string {
  const { contextId, create } = (json ?? {}) as { contextId?: unknown; create?: unknown }
  if (typeof contextId === 'string' && contextId.length <= maxContextIdCharacters) return contextId
  const isMissing = contextId === undefined || contextId === null
  const id = create === undefined ? onlyId : unnamedId
  if (isMissing && id !== undefined) return id
  const message = `contextId: a message needs the id of its context, a text of up to ${maxContextIdCharacters} characters, unless there is only one context`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

async function perform(
  { create, sendText, flushContext }: SpeechSocketMessage,
  contextId: string,
  contexts: OpenContexts,
): Promise<void> {
  if (create) return contexts.create(contextId, create)
  // What follows closeContext without a text, such as the clean-up of a client, does not cut off the speech that is still made.
  if (!sendText?.text && contexts.isEnding(contextId)) return
  if (sendText) {
    const context = contexts.find(contextId)
    context.write(sendText.text)
    if (sendText.flushContext) context.flush()
  } else if (flushContext) contexts.find(contextId).flush()
  else void contexts.close(contextId)
}
