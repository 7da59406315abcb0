import { ServiceError } from '../errors.ts'
import { readStart } from '../remote/read-response.ts'
import type { AbortResponse } from '../server/stream-response.ts'
import { passBody } from './passed-body.ts'
import { createUpstreamRedactor } from './redact-upstream.ts'
import { readErrorResponse } from './upstream-errors.ts'

/** A server of the OpenAI API that has language models. */
export interface ChatUpstream {
  /**
   * Forwards a chat request and streams the response as it arrives. Error responses that the caller can use stay unchanged.
   * @param body JSON, with the name that the server uses for the model.
   * @param abortResponse closes the connection when the response of the server breaks off.
   * @throws {ServiceError} if the server cannot be reached or its response is of no use to the caller.
   */
  forward(
    body: Uint8Array<ArrayBuffer>,
    signal: AbortSignal,
    abortResponse: AbortResponse,
  ): Promise<Response>
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
const maxModelListBytes = 4 * 1024 * 1024
const modelListAgeMs = 30_000

/** The `task` of a model that transcribes, in lists of models. The API of OpenAI has no such field, some servers do. */
export const transcriptionTask = 'automatic-speech-recognition'
const speechTasks: readonly unknown[] = [transcriptionTask, 'text-to-speech']

export function createChatUpstream(options: ChatUpstreamOptions): ChatUpstream {
  const { apiKey = '', firstByteTimeoutMs = 240_000 } = options
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const upstream = { baseUrl, redactor: createUpstreamRedactor(apiKey) }
  const { redact } = upstream.redactor
  const headers = {
    // Compression would delay events until a block is full.
    'accept-encoding': 'identity',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }

  /** Resolves when the response starts. */
  const send = async (path: string, init: RequestInit, timeoutMs: number): Promise<Response> => {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    const signals = init.signal ? [init.signal, limit.signal] : [limit.signal]
    try {
      return await fetch(baseUrl + path, {
        ...init,
        headers: init.body ? { ...headers, 'content-type': 'application/json' } : headers,
        // A redirect could send the key to another server.
        redirect: 'manual',
        signal: AbortSignal.any(signals),
      })
    } catch (error) {
      if (init.signal?.aborted) throw new ServiceError('CANCELLED', 'The caller disconnected')
      if (limit.signal.aborted) {
        const message = `The server of the language models, ${baseUrl}, did not start to respond within ${timeoutMs} ms`
        throw new ServiceError('DEADLINE_EXCEEDED', message)
      }
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      const message = `The server of the language models, ${baseUrl}, cannot be reached${code ? ` (${code})` : ''}. Check that it runs, and the address given by --chat-upstream`
      throw new ServiceError('UNAVAILABLE', message)
    } finally {
      clearTimeout(timer)
    }
  }

  const fetchModels = async (): Promise<readonly string[]> => {
    const response = await send('/models', {}, modelListTimeoutMs)
    const limits = { maxBytes: maxModelListBytes, timeLimitMs: modelListTimeoutMs }
    const text = redact(await readStart(response, limits))
    const { data } = JSON.parse(text) as { data?: { id?: unknown; task?: unknown }[] }
    const chatting = (data ?? []).filter(({ task }) => !speechTasks.includes(task))
    return chatting.flatMap(({ id }) => (typeof id === 'string' && id ? [id] : []))
  }
  let models: { names: Promise<readonly string[]>; fetchedAt: number } | undefined

  return {
    async forward(body, signal, abortResponse) {
      const init = { method: 'POST', body, signal }
      const response = await send('/chat/completions', init, firstByteTimeoutMs)
      if (!response.ok) return readErrorResponse(response, upstream)
      return new Response(response.body && passBody(response, upstream, abortResponse), {
        headers: {
          'content-type': redact(response.headers.get('content-type') ?? 'application/json'),
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
