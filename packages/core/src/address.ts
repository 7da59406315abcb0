/** The reason why an address is not valid for a service. */
export type AddressFault = 'not-an-address' | 'more-than-a-path' | 'in-the-clear'

/**
 * Checks the address of a service; works in Node and in a browser.
 * @returns the first fault, or `undefined`. `in-the-clear` means `http:` to a host outside this machine and its network,
 * where others could read the key and the text in transit.
 */
export function addressFault(address: string): AddressFault | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return 'not-an-address'
  const { protocol, hostname, username, password } = new URL(address)
  if (username || password || /[?#]/.test(address)) return 'more-than-a-path'
  return protocol === 'http:' && !isLocalHost(hostname) ? 'in-the-clear' : undefined
}

// URL normalises addresses to four decimal numbers, or to hexadecimal groups in brackets.
const localIpv4 = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./
const localIpv6 = /^\[(::1\]|f[cd]|fe[89ab])/

/** Whether the host is this machine, or an address or name that exists only in a local network. */
function isLocalHost(hostname: string): boolean {
  if (/^[\d.]+$/.test(hostname)) return localIpv4.test(hostname)
  if (hostname.startsWith('[')) return localIpv6.test(hostname)
  // Only the local network resolves a name without a dot, such as the name of a container.
  return !hostname.includes('.') || /\.(localhost|local|lan|internal|home\.arpa)$/.test(hostname)
}
