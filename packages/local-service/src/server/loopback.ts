import { isIPv4 } from 'node:net'

/** Whether only this machine can reach the host, judged by its name; the only trusted name is `localhost`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
