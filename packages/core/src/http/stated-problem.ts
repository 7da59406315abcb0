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
 * Converts the `error` of a chat event, or of a response with a status of 2xx, into the form that `readProblem` expects.
 * A number in `code` can be a gRPC code or an HTTP status. A name can be one of gRPC, in any letter case, or one of the
 * OpenAI API, in `code` or `type`.
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
