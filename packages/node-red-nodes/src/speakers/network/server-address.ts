import { addressFault, completeAddress } from '@parlando/core/address'
import { trimmedText } from '../../runtime/saved-settings.ts'

/**
 * Reads the address of a server that receives a secret, as a user typed it.
 * @returns the address without a slash at its end, and what is wrong with it: it may give the secret away.
 */
export function readServerAddress(typed: string): { address: string; isUsable: boolean } {
  const address = completeAddress(typed).replace(/\/$/, '')
  const isUsable = !addressFault(address)
  return { address: isUsable ? address : withoutUser(address), isUsable }
}

/** Some people type a password into an address. */
function withoutUser(address: string): string {
  return address.slice(0, 200).replace(/\/\/[^/@]*@/, '//')
}

/** The host of an address that a user typed, without the brackets of IPv6. */
export function hostOf(typed: string): string | undefined {
  const address = completeAddress(typed)
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : undefined
}

/** What a speaker plays on: a device of a server, in the same words however the address of the server is written. */
export function deviceOfServer(kind: string, typed: unknown, device: string): string {
  const address = completeAddress(trimmedText(typed))
  const server = URL.canParse(address) ? new URL(address).host : address
  return `${kind} ${server} ${device}`
}
