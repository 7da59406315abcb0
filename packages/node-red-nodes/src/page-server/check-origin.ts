import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLocalHost } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'

/** `foreign`: the page has another host. `unknown-name`: anybody may own the name of the host. */
export type OriginProblem = 'foreign' | 'unknown-name'

/** What decides which names belong to this Node-RED. */
export interface KnownHosts {
  /** Browsers do not send a password to a host for which nobody has entered it. */
  needsPassword: boolean
  /** The names in `parlandoHosts` of the settings. */
  names: readonly string[]
}

export function knownHosts({ settings }: Pick<NodeAPI, 'settings'>): KnownHosts {
  const { httpNodeAuth, parlandoHosts } = settings as {
    httpNodeAuth?: unknown
    parlandoHosts?: unknown
  }
  const names = Array.isArray(parlandoHosts) ? parlandoHosts.map(String) : []
  return { needsPassword: Boolean(httpNodeAuth), names: names.map((name) => name.toLowerCase()) }
}

/**
 * Checks that a request comes from a page of this server, or from a program that is not a browser. Only host names are
 * compared: some proxies omit the port.
 *
 * Another website may let its own name lead to this machine (DNS rebinding): then its pages have the host of this server. With
 * https they cannot, because the certificate would not match.
 */
export function checkOrigin(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { needsPassword, names }: KnownHosts,
): OriginProblem | undefined {
  const { origin } = headers
  if (origin === undefined) return undefined
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',')
  const own = [headers.host ?? '', ...forwarded].map((host) => hostName(`http://${host.trim()}`))
  const name = hostName(origin)
  if (name === undefined || !own.includes(name)) return 'foreign'
  const isOurs =
    needsPassword || origin.startsWith('https:') || isAddress(name) || isLocalHost(name)
  return isOurs || names.includes(name) ? undefined : 'unknown-name'
}

function hostName(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
