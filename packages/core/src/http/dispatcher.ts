import type { Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici'
import { InputError } from '../errors.ts'
import { isLoopback } from '../host.ts'
import type { ResolvedOptions } from './client-options.ts'

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
export function openConnections(
  options: Pick<ResolvedOptions, 'baseUrl' | 'connectTimeoutMs'> & { dispatcher?: Dispatcher },
): Connections {
  if (options.dispatcher) {
    return { dispatcher: options.dispatcher, mayUseProxy: false, close: async () => {} }
  }
  const { connectTimeoutMs } = options
  const mayUseProxy = environmentNamesProxy() && !isLoopback(new URL(options.baseUrl).hostname)
  const dispatcher = mayUseProxy
    ? openProxy({ timeout: connectTimeoutMs })
    : new Agent({ connect: createConnector(connectTimeoutMs) })
  // Bun replaces undici with a module of its own, whose Agent cannot be destroyed.
  return { dispatcher, mayUseProxy, close: async () => dispatcher.destroy?.() }
}

/** Measures the limit with a timer of Node. undici checks its own only every half second; a proxy has no other. */
function createConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 }) as (
    ...parameters: Parameters<buildConnector.connector>
  ) => Socket
  return (options, callback) => {
    const socket = connect(options, (...result: Parameters<typeof callback>) => {
      clearTimeout(timer)
      callback(...result)
    })
    const timer = setTimeout(
      () => socket.destroy(new errors.ConnectTimeoutError('Connect Timeout Error')),
      timeoutMs,
    )
  }
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
