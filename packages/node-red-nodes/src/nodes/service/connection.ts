import { type Client, type ClientOptions, createClient } from '@parlando/core'
import { addressFault } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { toNumber, trimmed } from '../../shared/setting.ts'
import type { DeviceService } from './device-service.ts'

/** A client, as soon as there is a service to talk to. */
export interface Connection {
  /** Rejects when the service cannot start. */
  client: Promise<Client>
  close(): Promise<void>
}

/** Limits as the form has them: numbers, often as text; empty: the client's own. */
export interface LimitSettings {
  /** Longest wait for the first byte of an answer. */
  timeoutSeconds?: string | number
  retries?: string | number
  /** Requests at a time. */
  concurrent?: string | number
}

/**
 * Connects with the service of this device, and starts it where it does not run.
 * @param onExit Called when the service ends without having been told to.
 */
export function connectDevice(
  device: DeviceService,
  limits: LimitSettings,
  onExit: (reason: string) => void,
): Connection {
  const lease = device.acquire(onExit)
  let opened: Client | undefined
  const client = lease.address.then((address) => {
    opened = createClient({ ...address, ...toOptions(limits) })
    return opened
  })
  // With a limit that is not valid there is no client, and nobody who would give the service back.
  client.catch(() => lease.release())
  return {
    client,
    async close() {
      // While the service starts there is no client to close, and others may go on waiting for it.
      await Promise.all([lease.release(), opened?.close()])
    },
  }
}

/**
 * Connects with a service elsewhere.
 * @throws {NodeInputError} where there is no address, one that would tell key and text to everybody on the way, or a
 * variable that Node-RED does not have.
 * @throws {InputError} for anything else about the address, or a limit, that is not valid.
 */
export function connectHosted(
  RED: NodeAPI,
  address: { baseUrl: string; apiKey: string },
  limits: LimitSettings,
): Connection {
  const [baseUrl, apiKey] = [trimmed(address.baseUrl), trimmed(address.apiKey)]
  for (const value of [baseUrl, apiKey]) rejectVariable(RED, value)
  if (!baseUrl) throw new NodeInputError(RED._('service.error.no-address'))
  if (addressFault(String(baseUrl)) === 'in-the-clear') {
    throw new NodeInputError(RED._('service.error.in-the-clear'))
  }
  const client = createClient({ baseUrl, apiKey, ...toOptions(limits) })
  return { client: Promise.resolve(client), close: () => client.close() }
}

/** Node-RED leaves a variable in its place that it does not have; the service would get its name for a key. */
function rejectVariable(RED: NodeAPI, value: string): void {
  const name = /^\$\{(\S+)\}$/.exec(value)?.[1]
  if (name) throw new NodeInputError(RED._('service.error.no-variable', { name }))
}

function toOptions(limits: LimitSettings): Partial<ClientOptions> {
  const timeoutSeconds = toNumber(limits.timeoutSeconds)
  return {
    firstByteTimeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    retries: toNumber(limits.retries),
    maxConcurrent: toNumber(limits.concurrent),
  }
}
