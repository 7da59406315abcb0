import { InputError } from '../errors.ts'
import type { RetryRule } from './retry.ts'

/** A request to the service, relative to its base address. */
export interface HttpRequest {
  /** The kind of call, for messages: `Speech`, `Voice list`. */
  what: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Appended to the base address, begins with a slash. A colon in it must not be percent-encoded. */
  path: string
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  body?: RequestBody
  /** Default `safe`. */
  retry?: RetryRule
  /** Default: the `firstByteTimeoutMs` of the client. The call's own overrides both. */
  firstByteTimeoutMs?: number
  /** How much of the body the response may repeat, on top of `maxResponseBytes`. Default 0. */
  echoedBytes?: number
}

/** A retry sends the same body again, so a body is data, never a stream. */
export type RequestBody =
  | { json: unknown }
  | { bytes: Uint8Array; contentType: string }
  | { form: FormData }

export function queryString(query: HttpRequest['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item))
    }
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

export interface EncodedBody {
  content: string | Uint8Array
  contentType: string
}

/** @throws {InputError} when the JSON cannot be serialised. */
export async function encodeBody({ what, body }: HttpRequest): Promise<EncodedBody | undefined> {
  if (!body) return undefined
  if ('bytes' in body) return { content: body.bytes, contentType: body.contentType }
  if ('json' in body) {
    return { content: serialise(body.json, what), contentType: 'application/json' }
  }
  // A Response encodes a form. Reading it as a whole gives its length, which avoids chunked encoding.
  const encoded = new Response(body.form)
  return {
    content: new Uint8Array(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? '',
  }
}

function serialise(json: unknown, what: string): string {
  try {
    return JSON.stringify(json)
  } catch {
    // The reason may quote the body, so it is not the cause of this error.
    throw new InputError(
      `${what} request not valid: it cannot be serialised as JSON (circular reference, BigInt, or too large)`,
    )
  }
}
