import ipaddr from 'ipaddr.js'

/** Whether a host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = withoutMarks(hostname)
  return rangeOf(host) === 'loopback' || /^(.+\.)?localhost$/.test(host)
}

// Overlay networks, such as a VPN between the machines of one person, use the range for carrier-grade NAT.
const localRanges = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']

/** Whether a host of a URL is this machine, or an address or name that exists only in a local or overlay network. */
export function isLocalHost(hostname: string): boolean {
  const host = withoutMarks(hostname)
  const range = rangeOf(host)
  if (range) return localRanges.includes(range)
  if (host.includes('.')) return /\.(localhost|local|lan|internal|home\.arpa)$/.test(host)
  // A name without a dot is a container or a machine of the local network. Only the top-level domain of a country, such as
  // `ai`, may have an address of its own. ICANN forbids this for all other domains:
  // https://www.icann.org/en/news/announcements/announcement-30aug13-en.htm
  return !/^([a-z]{2}|xn--.*)$/.test(host)
}

/** Without the brackets of an IPv6 address and the final dot of a complete domain name. */
function withoutMarks(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.$/g, '')
}

/** The range of an IP address; an IPv4 address inside an IPv6 address counts as IPv4. */
function rangeOf(host: string): string | undefined {
  return ipaddr.isValid(host) ? ipaddr.process(host).range() : undefined
}
