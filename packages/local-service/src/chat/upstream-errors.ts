import { codeOfHttpStatus, parseJson } from '@parlando/core/wire'
import { ServiceError } from '../errors.ts'
import { problemText, readStart } from '../remote/read-response.ts'
import type { UpstreamRedactor } from './redact-upstream.ts'

// A server sends the body of an error together with the status, so a short time limit is enough.
const errorLimits = { maxBytes: 64 * 1024, timeLimitMs: 2_000 }

/**
 * Converts an error response of the upstream server to a response in the OpenAI format.
 * @throws {ServiceError} for a failure that the caller cannot fix, such as an upstream key that the server rejects.
 */
export async function readErrorResponse(
  response: Response,
  { baseUrl, redactor }: { baseUrl: string; redactor: UpstreamRedactor },
): Promise<Response> {
  const { status } = response
  const server = `The server of the language models, ${baseUrl},`
  const isError = status >= 400 && status <= 599
  if (!isError || status === 401 || status === 403) {
    await response.body?.cancel()
    const message = isError
      ? `${server} rejected the key of this service (${status}). Check --chat-upstream-key`
      : `${server} sent the unexpected status ${status}; redirects are not followed. Check --chat-upstream`
    throw new ServiceError('INTERNAL', message, 502)
  }
  const text = await readStart(response, errorLimits)
  const redacted = redactor.redact(text)
  const json = parseJson(redacted)
  const body = json === undefined ? redacted : json
  const retryAfter = response.headers.get('retry-after')
  const headers: Record<string, string> = retryAfter
    ? { 'retry-after': redactor.redact(retryAfter) }
    : {}
  if (isOpenAiError(body)) return Response.json(body, { status, headers })
  const reason = problemText(body)
  const message = `${server} failed with status ${status}${reason && `: ${reason}`}`
  const code = codeOfHttpStatus(status) ?? 'INTERNAL'
  return Response.json(new ServiceError(code, message).openAiBody, { status, headers })
}

function isOpenAiError(body: unknown): boolean {
  const { error } = Object(body) as { error?: unknown }
  return typeof error === 'object' && error !== null && 'message' in error
}
