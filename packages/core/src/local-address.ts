import { BlockList, isIP, isIPv6 } from 'node:net'

const local = new BlockList()
local.addSubnet('127.0.0.0', 8)
local.addSubnet('10.0.0.0', 8)
local.addSubnet('172.16.0.0', 12)
local.addSubnet('192.168.0.0', 16)
local.addSubnet('169.254.0.0', 16)
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

/** True for this machine and for addresses and names that only exist within a house or an office. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(host)) return local.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
  // A name without a dot is one that the network at hand resolves, such as that of a container.
  return !host.includes('.') || /\.(localhost|local|lan|internal|home\.arpa)$/.test(host)
}
