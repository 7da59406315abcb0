import { InputError } from '../errors.ts'
import type { Call } from './transport.ts'

export function queryString(query: Call['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item))
    }
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

export function headersOf(call: Call, requestId: string, apiKey: string): Record<string, string> {
  return {
    accept: 'application/json',
    'x-request-id': requestId,
    ...(apiKey && { authorization: `Basic ${apiKey}` }),
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
  }
}

export function writeJson({ what, body }: Call): string | null {
  try {
    return body === undefined ? null : JSON.stringify(body)
  } catch {
    // Not with the reason, which may quote what is in the body.
    throw new InputError(
      `${what} request not valid: it cannot be written as JSON, since something in it holds itself, is a BigInt or is too large`,
    )
  }
}
