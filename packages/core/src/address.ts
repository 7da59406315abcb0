/** What keeps an address from being that of a service. */
export type AddressFault = 'not-an-address' | 'more-than-a-path' | 'in-the-clear'

/**
 * Looks at an address before anything is sent to it; the same in Node and in a browser.
 * @returns the first fault, or `undefined` where there is none. `in-the-clear` is `http:` beyond this machine and its
 * network, where everybody on the way could read key and text.
 */
export function addressFault(address: string): AddressFault | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return 'not-an-address'
  const { protocol, hostname, username, password } = new URL(address)
  if (username || password || /[?#]/.test(address)) return 'more-than-a-path'
  return protocol === 'http:' && !isLocalHost(hostname) ? 'in-the-clear' : undefined
}

// As a URL writes them: four decimal numbers, or hexadecimal groups in brackets.
const localIpv4 = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./
const localIpv6 = /^\[(::1\]|f[cd]|fe[89ab])/

/** True for this machine and for addresses and names that only exist within a house or an office. */
function isLocalHost(hostname: string): boolean {
  if (/^[\d.]+$/.test(hostname)) return localIpv4.test(hostname)
  if (hostname.startsWith('[')) return localIpv6.test(hostname)
  // A name without a dot is one that the network at hand resolves, such as that of a container.
  return !hostname.includes('.') || /\.(localhost|local|lan|internal|home\.arpa)$/.test(hostname)
}
