import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { InputError } from '../errors.ts'
import { isLoopback } from '../host.ts'
import type { ResolvedOptions } from './options.ts'

export interface Connections {
  dispatcher: Dispatcher
  /** Whether the environment names a proxy that may be in use. */
  mayUseProxy: boolean
  /** Closes every connection, unless the caller owns them. */
  close(): Promise<void>
}

/**
 * Opens the client's own connections, or uses the caller's dispatcher.
 *
 * The client's own connections honour `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, except on loopback: a proxy cannot reach this
 * machine by that name. Through the proxy, undici always makes a tunnel (CONNECT), so headers never reach the proxy.
 * @throws {InputError} when the address of the proxy is not valid.
 */
export function openConnections(options: ResolvedOptions): Connections {
  if (options.dispatcher) {
    return { dispatcher: options.dispatcher, mayUseProxy: false, close: async () => {} }
  }
  const connect = { timeout: options.connectTimeoutMs }
  const mayUseProxy = environmentNamesProxy() && !isLoopback(new URL(options.baseUrl).hostname)
  const dispatcher = mayUseProxy ? openProxy(connect) : new Agent({ connect })
  return { dispatcher, mayUseProxy, close: () => dispatcher.destroy() }
}

function openProxy(connect: { timeout: number }): Dispatcher {
  try {
    return new EnvHttpProxyAgent({ connect, proxyTls: connect, requestTls: connect })
  } catch {
    // The reason may quote the address, which can contain a password.
    throw new InputError(
      'HTTPS_PROXY or HTTP_PROXY is not the address of an HTTP proxy: use http://host:port',
    )
  }
}

function environmentNamesProxy(): boolean {
  const { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY } = process.env
  return [http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY].some(Boolean)
}
