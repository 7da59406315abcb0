import type { IncomingMessage } from 'node:http'

/**
 * Whether a request comes from a page of this server, or from a program that is not a browser. Only host names are compared:
 * some proxies omit the port.
 */
export function isFromSameHost({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',')
  const own = [headers.host ?? '', ...forwarded].map((host) => hostName(`http://${host.trim()}`))
  const name = hostName(origin)
  return name !== undefined && own.includes(name)
}

function hostName(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}
