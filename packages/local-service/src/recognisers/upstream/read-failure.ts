import { codeOfHttpStatus, parseJson } from '@parlando/core/wire'
import { BusyError, ServiceError } from '../../errors.ts'
import { problemText } from '../../http/problem-text.ts'
import { readStart } from '../../http/read-start.ts'

// A server sends the body of an error together with the status, so a short time limit is enough.
const errorLimits = { maxBytes: 64 * 1024, timeLimitMs: 2_000 }

/** Converts an error response of a recognition server to the response that the caller of this service gets. */
export async function readFailure(
  response: Response,
  { baseUrl, redact }: { baseUrl: string; redact(text: string): string },
): Promise<ServiceError> {
  const { status } = response
  const server = `The recognition server, ${baseUrl},`
  const text = redact(await readStart(response, errorLimits))
  const code = codeOfHttpStatus(status)
  if (!code) {
    const message = `${server} sent the unexpected status ${status}; redirects are not followed. Check --transcription-upstream`
    return new ServiceError('INTERNAL', message, 502)
  }
  if (status === 401 || status === 403) {
    const message = `${server} rejects the key of this service (${status}). Check --transcription-upstream-key`
    return new ServiceError('INTERNAL', message, 502)
  }
  const reason = problemText(parseJson(text) ?? text)
  const message = `${server} failed with status ${status}${reason && `: ${reason}`}`
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (status === 429 && retryAfterSeconds >= 0) return new BusyError(message, retryAfterSeconds)
  return new ServiceError(code, message, status)
}
