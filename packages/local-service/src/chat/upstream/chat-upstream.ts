import { createRedactor } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { createOpenAiClient, modelsIn, trimAddress } from '../../remote/openai-client.ts'
import {
  failureOf,
  ownersFailure,
  readErrorBody,
  type ServerName,
  unreachable,
} from '../../remote/server-failure.ts'
import type { AbortResponse } from '../../server/responses/stream-response.ts'
import { passResponseBody } from './pass-response-body.ts'
import { createKeyRedactor } from './redact-key.ts'

/** A server of the OpenAI API that has language models. */
export interface ChatUpstream {
  /**
   * Forwards a chat request and streams the response as it arrives. Error responses that the caller can use stay unchanged.
   * @param body JSON, with the name that the server uses for the model.
   * @param abortResponse closes the connection when the response of the server breaks off.
   * @throws {ServiceError} if the server cannot be reached or its response is of no use to the caller.
   */
  forward(body: Uint8Array, signal: AbortSignal, abortResponse: AbortResponse): Promise<Response>
  /** @returns the names of its models; an empty list if the server does not respond. */
  listModels(): Promise<readonly string[]>
}

export interface ChatUpstreamOptions {
  /** Base URL of the API, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string
  /** The key of that server, sent only to it. Default: none. */
  apiKey?: string
  /**
   * Maximum time until the response starts, in milliseconds. It includes the time to load a local model. `fetch` has its
   * own limits: 300,000 ms, and 10,000 ms for the connection. Default 240,000.
   */
  firstByteTimeoutMs?: number
}

const modelListTimeoutMs = 5_000
const modelListAgeMs = 30_000

/** The `task` of a model that transcribes, in lists of models. The API of OpenAI has no such field, some servers do. */
export const transcriptionTask = 'automatic-speech-recognition'
const speechTasks: readonly unknown[] = [transcriptionTask, 'text-to-speech']

// Compression would delay events until a block is full.
const headers = { 'accept-encoding': 'identity', 'content-type': 'application/json' }

export function createChatUpstream(options: ChatUpstreamOptions): ChatUpstream {
  const { apiKey = '', firstByteTimeoutMs = 240_000 } = options
  const baseUrl = trimAddress(options.baseUrl)
  const subject = `The server of the language models, ${baseUrl},`
  const server = { subject, option: '--chat-upstream', apiKey }
  const client = createOpenAiClient([baseUrl], server)
  const redactor = createKeyRedactor(apiKey)

  /** Resolves when the response starts. */
  const send = async (body: Uint8Array, caller: AbortSignal): Promise<Response> => {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), firstByteTimeoutMs)
    const signal = AbortSignal.any([caller, limit.signal])
    // Published types must not name the generic Uint8Array, which TypeScript before 5.7 does not have.
    const request = { method: 'POST', headers, body: body as Uint8Array<ArrayBuffer>, signal }
    try {
      return await client.send('/chat/completions', request)
    } catch (error) {
      if (caller.aborted) throw new ServiceError('CANCELLED', 'The caller disconnected')
      if (!limit.signal.aborted) throw unreachable(error, server)
      const message = `${subject} did not start to respond within ${firstByteTimeoutMs} ms`
      throw new ServiceError('DEADLINE_EXCEEDED', message)
    } finally {
      clearTimeout(timer)
    }
  }

  const fetchModels = async (): Promise<readonly string[]> => {
    const list = await client.readList('/models', AbortSignal.timeout(modelListTimeoutMs))
    return modelsIn(list).flatMap(({ id, task }) => (speechTasks.includes(task) ? [] : id))
  }
  let models: { names: Promise<readonly string[]>; fetchedAt: number } | undefined

  return {
    async forward(body, signal, abortResponse) {
      const response = await send(body, signal)
      if (!response.ok) return readErrorResponse(response, server)
      const passed =
        response.body && passResponseBody(response, { subject, redactor }, abortResponse)
      return new Response(passed, {
        headers: {
          'content-type': redactor.redact(
            response.headers.get('content-type') ?? 'application/json',
          ),
          // Without this header, the server holds the first event back.
          'transfer-encoding': 'chunked',
        },
      })
    },
    listModels() {
      if (!models || Date.now() - models.fetchedAt > modelListAgeMs) {
        models = { names: fetchModels().catch(() => []), fetchedAt: Date.now() }
      }
      return models.names
    },
  }
}

/**
 * Converts an error response of the upstream server to a response in the OpenAI format.
 * @throws {ServiceError} for a failure that the caller cannot fix, such as an upstream key that the server rejects.
 */
async function readErrorResponse(response: Response, server: ServerName): Promise<Response> {
  const failure = ownersFailure(response, server)
  if (failure) {
    await response.body?.cancel()
    throw failure
  }
  const { status } = response
  const body = await readErrorBody(response, server)
  const retryAfter = response.headers.get('retry-after')
  const headers: Record<string, string> = retryAfter
    ? { 'retry-after': createRedactor([server.apiKey ?? ''])(retryAfter) }
    : {}
  const passed = isOpenAiError(body) ? body : failureOf(status, body, server).openAiBody
  return Response.json(passed, { status, headers })
}

function isOpenAiError(body: unknown): boolean {
  const { error } = Object(body) as { error?: unknown }
  return typeof error === 'object' && error !== null && 'message' in error
}
