import type { Client, ClientOptions } from '@parlando/core'
import { addressFault, completeAddress } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { Address, DeviceService } from './device-service.ts'

/** A connection to a service that may still be starting. */
export interface ServiceConnection {
  /** Rejects when the service cannot start. */
  ready: Promise<unknown>
  /**
   * Creates the one client of this connection when it is first called. Rejects when the service cannot start, and with an
   * `InputError` when the key or a limit is not valid.
   */
  client(): Promise<Client>
  close(): Promise<void>
}

/** Limits of the form: numbers, often as text; empty: the default of the client. */
export interface LimitSettings {
  /** Maximum wait for the first byte of a response. */
  timeoutSeconds?: string | number
  retries?: string | number
  /** Concurrent requests. */
  concurrent?: string | number
}

/**
 * Connects to the service on this device, and starts it if it is not running.
 * @param onExit Called when the process exits unexpectedly.
 */
export function connectDevice(
  device: DeviceService,
  limits: LimitSettings,
  onExit: (reason: string) => void,
): ServiceConnection {
  const lease = device.acquire(onExit)
  lease.address.catch(() => lease.release())
  return createConnection(lease.address, limits, lease.release)
}

/**
 * Connects to a hosted service.
 * @throws {NodeInputError} when the address is missing or not valid, or when address or key names an environment variable
 * that is not set.
 */
export function connectHosted(
  RED: NodeAPI,
  address: { baseUrl: string; apiKey: string },
  limits: LimitSettings,
): ServiceConnection {
  const { baseUrl: typed, apiKey } = readSettings({}, address, {
    baseUrl: { form: 'baseUrl' },
    apiKey: { form: 'apiKey', fallback: '' },
  }) as { baseUrl?: string; apiKey: string }
  for (const value of [typed, apiKey]) rejectVariable(RED, value)
  if (!typed) throw new NodeInputError(RED._('service.error.no-address'))
  const baseUrl = completeAddress(String(typed))
  const fault = addressFault(baseUrl)
  if (fault) throw new NodeInputError(RED._(`service.error.${fault}`))
  return createConnection(Promise.resolve({ baseUrl, apiKey }), limits)
}

function createConnection(
  address: Promise<Address>,
  limits: LimitSettings,
  release = async () => {},
): ServiceConnection {
  let client: Promise<Client> | undefined
  let created: Client | undefined
  let isClosed = false
  const create = async () => {
    // Imported on demand: its libraries use 20 MB of memory, which a Node-RED that does not speak need not spend.
    const [{ createClient }, reachable] = await Promise.all([import('@parlando/core'), address])
    created = createClient({ ...reachable, ...toOptions(limits) })
    // The connection was closed during the import: calls of this client say so.
    if (isClosed) await created.close()
    return created
  }
  return {
    ready: address,
    client() {
      client ??= create()
      return client
    },
    async close() {
      isClosed = true
      // No client exists during the start, and other nodes may be waiting for the process.
      await Promise.all([release(), created?.close()])
    },
  }
}

export interface LazyConnectionOptions {
  /** @param onExit To call when the connection has ended by itself. */
  open(onExit: () => void): ServiceConnection
  /** `Infinity`: it stays open. */
  unusedLimitMs: number
  /** Called when the connection is closed or has ended. */
  onEnd?(): void
}

/** A connection that opens when it is needed, and closes when it is unused for long. */
export class LazyConnection {
  readonly #options: LazyConnectionOptions
  #connection: ServiceConnection | undefined
  #uses = 0
  #unused: NodeJS.Timeout | undefined
  isClosed = false

  constructor(options: LazyConnectionOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#connection !== undefined
  }

  open(): ServiceConnection {
    if (this.#connection) return this.#connection
    const opened = this.#options.open(() => this.#forget(opened))
    this.#connection = opened
    opened.ready.then(
      () => this.#closeWhenUnused(),
      () => this.#forget(opened),
    )
    return opened
  }

  /** Keeps the connection during some work. */
  async keep<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#uses += 1
    clearTimeout(this.#unused)
    try {
      return await work()
    } finally {
      this.#uses -= 1
      this.#closeWhenUnused()
    }
  }

  /** Closes the connection that is open now. The next work opens another one. */
  disconnect(): void {
    if (!this.#connection) return
    void this.#connection.close()
    this.#forget(this.#connection)
  }

  /** Closes it for good. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.#unused)
    await this.#connection?.close()
  }

  #closeWhenUnused(): void {
    clearTimeout(this.#unused)
    const { unusedLimitMs } = this.#options
    if (unusedLimitMs === Infinity || this.#uses > 0 || this.isClosed) return
    this.#unused = setTimeout(() => this.disconnect(), unusedLimitMs).unref()
  }

  #forget(ended: ServiceConnection): void {
    // A connection that was closed while it started fails later, when another one may be in use.
    if (ended !== this.#connection) return
    clearTimeout(this.#unused)
    this.#connection = undefined
    this.#options.onEnd?.()
  }
}

/** Node-RED does not replace a reference to an unknown variable; without this check, the client would send it as the key. */
function rejectVariable(RED: NodeAPI, value = ''): void {
  const name = /^\$\{(\S+)\}$/.exec(value)?.[1]
  if (name) throw new NodeInputError(RED._('service.error.no-variable', { name }))
}

function toOptions(limits: LimitSettings): Partial<ClientOptions> {
  const { timeoutSeconds, ...options } = readSettings({}, limits, {
    timeoutSeconds: { form: 'timeoutSeconds', isNumber: true },
    maxRetries: { form: 'retries', isNumber: true },
    maxConcurrent: { form: 'concurrent', isNumber: true },
  })
  const firstByteTimeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000
  return { firstByteTimeoutMs, ...options }
}
