import type { Readable } from 'node:stream'
import { type Dispatcher, request as sendRequest } from 'undici'
import { openConnections } from './dispatcher.ts'
import { header } from './response.ts'

const maxRedirects = 5
const connectTimeoutMs = 10_000

/** What an address sends. */
export interface AddressResponse {
  /** The last one, after redirects. A status of 3xx means a redirect that was not followed. */
  status: number
  /** The `Content-Type` header. */
  mediaType: string | undefined
  /** The host of another server to which the address redirects. */
  redirectHost: string | undefined
  /** The body's bytes as they arrive, not decompressed. Leaving the loop early closes the connection. */
  body: AsyncIterable<Uint8Array>
  /** Closes the connection. */
  close(): void
}

/**
 * Opens any address of `http:` or `https:` with GET, such as a sound that a flow names. It honours the same proxies as a
 * client, sends no key, and follows redirects only to the same host and port.
 * @param signal ends the request and the body; there is no other limit of time after the connection.
 * @throws {InputError} when the address of the proxy is not valid; the reason of the signal; or an error of the network.
 */
export async function openAddress(address: string, signal: AbortSignal): Promise<AddressResponse> {
  const { dispatcher } = openConnections({ baseUrl: address, connectTimeoutMs })
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    const response = await get(url, dispatcher, signal)
    const target = redirectOf(response, url)
    const isSameHost = target?.host === url.host
    if (!target || !isSameHost || redirects === maxRedirects) {
      return {
        status: response.statusCode,
        mediaType: header(response.headers, 'content-type'),
        redirectHost: target && !isSameHost ? target.host : undefined,
        body: response.body,
        close: () => closeBody(response.body),
      }
    }
    closeBody(response.body)
    url = target
  }
}

/** The connection closes with the response, so nothing needs to close the dispatcher. */
function get(
  url: URL,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const noLimit = { headersTimeout: 0, bodyTimeout: 0 }
  return sendRequest(url, { dispatcher, signal, reset: true, ...noLimit })
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const location = header(headers, 'location')
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined
  const isAddress = URL.canParse(location, from.href)
  return isAddress ? new URL(location, from) : undefined
}

function closeBody(body: Readable): void {
  // Destroying the body emits an error, which would be thrown without a listener.
  body.on('error', () => {})
  body.destroy()
}
