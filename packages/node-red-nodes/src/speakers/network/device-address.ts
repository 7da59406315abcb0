/** Where a device in the network listens. */
export interface DeviceAddress {
  /** A name or an IP address, without the brackets of IPv6. */
  host: string
  port: number
}

/**
 * Reads an address that a user typed: `host`, `host:port`, `[IPv6]` or `[IPv6]:port`.
 * @returns undefined for anything else.
 */
export function readDeviceAddress(typed: unknown, defaultPort: number): DeviceAddress | undefined {
  const text = String(typed ?? '').trim()
  const [, ipv6, name, port] =
    /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = ipv6 ?? name
  if (host === undefined || Number(port) > 65_535) return undefined
  return { host, port: port === undefined ? defaultPort : Number(port) }
}

export function textOfAddress({ host, port }: DeviceAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** What a speaker plays on, in the same words however its address is written. */
export function deviceKey(kind: string, typed: unknown, defaultPort: number): string {
  const address = readDeviceAddress(typed, defaultPort)
  return `${kind} ${address ? textOfAddress(address).toLowerCase() : typed}`
}
