import { BlockList, isIP, isIPv6 } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { addressOf, noteCallerAddress } from './caller.ts'

/** The proxies whose statement about the address of a caller counts. */
export interface TrustedProxies {
  has(address: string): boolean
}

/** @param ranges addresses such as 192.168.1.5 and ranges such as 10.0.0.0/8. @throws {Error} if one is neither. */
export function createTrustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', length] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const bits = length ?? (family === 'ipv6' ? '128' : '32')
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits)) throw new Error(`${range} is no address`)
    list.addSubnet(address, Number(bits), family)
  }
  return { has: (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') }
}

/**
 * The address of a caller. Each proxy adds, at the end of `X-Forwarded-For`, the address from which it has the request, so what stands
 * before the last one that is not a proxy may be invented.
 * @param address of the connection.
 */
export function forwardedAddress(
  address: string,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string {
  const stated = (forwardedFor ?? '').split(',').map((text) => plainAddress(text.trim()))
  let caller = plainAddress(address)
  while (isIP(caller) > 0 && proxies.has(caller)) {
    const next = stated.pop()
    if (next === undefined || isIP(next) === 0) break
    caller = next
  }
  return caller
}

/** Lets callers behind these proxies count as themselves. */
export function trustProxies(proxies: TrustedProxies): MiddlewareHandler {
  return async (context, next) => {
    const forwardedFor = context.req.header('x-forwarded-for')
    noteCallerAddress(context, forwardedAddress(addressOf(context), forwardedFor, proxies))
    await next()
  }
}

/** IPv4 as IPv6 has the same address as a proxy states it. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Reads the ranges of an option. */
export function readProxies(text: string): readonly string[] {
  const ranges = text.split(',').map((part) => part.trim())
  try {
    createTrustedProxies(ranges)
  } catch {
    throw new Error('an address such as 192.168.1.5, or a range such as 10.0.0.0/8')
  }
  return ranges
}
