import { codeOfHttpStatus, readProblem } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import { readStart } from './read-start.ts'

// It comes with the status, or hardly ever.
const errorLimits = { maxBytes: 64 * 1024, timeLimitMs: 2_000 }
const maxMessageCharacters = 300
// One without an end goes to the end: looked for again at every `<`, it would hold up the whole service for seconds.
const tags = /<(style|script|head)\b.*?(?:<\/\1>|$)|<[a-z/!][^>]*(?:>|$)/gis

/**
 * What the caller gets for an answer that is an error: one in the OpenAI form as it is, others brought into that form.
 * @throws {ServiceError} for what the caller can do nothing about, such as the key of this service being refused there.
 */
export async function readErrorResponse(
  answer: Response,
  upstream: { baseUrl: string; apiKey: string },
): Promise<Response> {
  const { status } = answer
  const server = `The server of the language models, ${upstream.baseUrl},`
  const isError = status >= 400 && status <= 599
  if (!isError || status === 401 || status === 403) {
    await answer.body?.cancel()
    const message = isError
      ? `${server} refused the key of this service (${status}). Check --chat-upstream-key`
      : `${server} answers with status ${status} instead of an answer; redirects are not followed. Check --chat-upstream`
    throw new ServiceError('INTERNAL', message, 502)
  }
  const text = await readStart(answer, errorLimits)
  const told = upstream.apiKey ? text.replaceAll(upstream.apiKey, '***') : text
  const body = parseJson(told)
  const retryAfter = answer.headers.get('retry-after')
  const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {}
  if (isOpenAiError(body)) return Response.json(body, { status, headers })
  const said = readProblem(body)
    .message.replace(tags, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxMessageCharacters)
  const message = `${server} failed with status ${status}${said && `: ${said}`}`
  const code = codeOfHttpStatus(status) ?? 'INTERNAL'
  return Response.json(new ServiceError(code, message).openAiBody, { status, headers })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isOpenAiError(body: unknown): boolean {
  const { error } = Object(body) as { error?: unknown }
  return typeof error === 'object' && error !== null && 'message' in error
}
