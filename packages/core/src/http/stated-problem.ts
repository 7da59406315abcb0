import { codeOfHttpStatus, type StatusCode, statusCodes } from '../wire/problem.ts'

const codesByName: ReadonlyMap<string, StatusCode> = new Map(
  Object.entries({
    api_error: 'INTERNAL',
    authentication_error: 'UNAUTHENTICATED',
    context_length_exceeded: 'INVALID_ARGUMENT',
    insufficient_quota: 'RESOURCE_EXHAUSTED',
    invalid_api_key: 'UNAUTHENTICATED',
    invalid_request_error: 'INVALID_ARGUMENT',
    model_not_found: 'NOT_FOUND',
    not_found_error: 'NOT_FOUND',
    overloaded_error: 'UNAVAILABLE',
    permission_error: 'PERMISSION_DENIED',
    rate_limit_error: 'RESOURCE_EXHAUSTED',
    rate_limit_exceeded: 'RESOURCE_EXHAUSTED',
    server_error: 'INTERNAL',
    timeout: 'DEADLINE_EXCEEDED',
  }),
)

/**
 * Brings the `error` of a chat event, or of an answer whose status says that all is well, into the form that
 * `readProblem` knows. The number of a code there may be a gRPC status or an HTTP status, its name one of the OpenAI API
 * in `code` or `type`, or one of gRPC in any letter case.
 */
export function statedProblem(error: unknown): { error: unknown } {
  if (typeof error !== 'object' || error === null) return { error }
  const { code, type } = error as { code?: unknown; type?: unknown }
  const name = codeByName(code) ?? codeByNumber(code) ?? codeByName(type)
  return name ? { error: { ...error, code: statusCodes[name].number } } : { error }
}

function codeByName(name: unknown): StatusCode | undefined {
  if (typeof name !== 'string') return undefined
  const upper = name.toUpperCase()
  return (
    codesByName.get(name.toLowerCase()) ??
    (Object.hasOwn(statusCodes, upper) ? (upper as StatusCode) : undefined)
  )
}

function codeByNumber(status: unknown): StatusCode | undefined {
  if (typeof status !== 'number' && typeof status !== 'string') return undefined
  return codeOfHttpStatus(Number(status))
}
