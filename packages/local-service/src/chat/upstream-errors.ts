import { createRedactor } from '@parlando/core/wire'
import {
  failureOf,
  ownersFailure,
  readErrorBody,
  type ServerName,
} from '../remote/server-failure.ts'

/**
 * Converts an error response of the upstream server to a response in the OpenAI format.
 * @throws {ServiceError} for a failure that the caller cannot fix, such as an upstream key that the server rejects.
 */
export async function readErrorResponse(response: Response, server: ServerName): Promise<Response> {
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
