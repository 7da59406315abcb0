import { addressFault, completeAddress } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { Lease } from './device-service.ts'

/**
 * The address of a hosted service, which needs no start.
 * @throws {NodeInputError} when the address is missing or not valid, or when address or key names an environment variable
 * that is not set.
 */
export function leaseHosted(RED: NodeAPI, address: { baseUrl: string; apiKey: string }): Lease {
  const { baseUrl: typed, apiKey } = readSettings({}, address, {
    baseUrl: { form: 'baseUrl' },
    apiKey: { form: 'apiKey', fallback: '' },
  }) as { baseUrl?: string; apiKey: string }
  for (const value of [typed, apiKey]) rejectVariable(RED, value)
  if (!typed) throw new NodeInputError(RED._('service.error.no-address'))
  const baseUrl = completeAddress(String(typed))
  const fault = addressFault(baseUrl)
  if (fault) throw new NodeInputError(RED._(`service.error.${fault}`))
  return { address: Promise.resolve({ baseUrl, apiKey }), release: async () => {} }
}

/** Node-RED does not replace a reference to an unknown variable; without this check, the client would send it as the key. */
function rejectVariable(RED: NodeAPI, value = ''): void {
  const name = /^\$\{(\S+)\}$/.exec(value)?.[1]
  if (name) throw new NodeInputError(RED._('service.error.no-variable', { name }))
}
