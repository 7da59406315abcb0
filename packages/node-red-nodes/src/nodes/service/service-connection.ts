import type { Client, ClientOptions } from '@parlando/core'
import { addressFault, completeAddress } from '@parlando/core/address'
import { ConnectionError } from '@parlando/core/errors'
import type { Pronunciation } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import type { Lease } from './device-service.ts'

/** Limits of the form: numbers, often as text; empty: the default of the client. */
export interface LimitSettings {
  /** Maximum wait for the first byte of a response. */
  timeoutSeconds?: string | number
  retries?: string | number
  /** Concurrent requests. */
  concurrent?: string | number
}

export interface ServiceConnectionOptions {
  /**
   * Provides the address of the service, and starts the service if it runs on this device.
   * @param onExit To call when its process exits unexpectedly.
   */
  acquire(onExit: (reason: string) => void): Lease
  limits?: LimitSettings
  /** How the client says words and names. Default: as the voices read them. */
  pronunciations?: readonly Pronunciation[]
  /** How long it stays open without use. Default: until it is closed. */
  unusedLimitMs?: number
  /** Called when the process on this device has exited unexpectedly. */
  onExit?(reason: string): void
  /** Called when the connection is closed or has ended. */
  onEnd?(): void
}

const endingMs = 3_000

/** A connection to a service: it opens when it is needed, and closes when it is unused for long. */
export class ServiceConnection {
  readonly #options: ServiceConnectionOptions
  #opened: OpenConnection | undefined
  #uses = 0
  #unused: NodeJS.Timeout | undefined
  readonly #ending = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(options: ServiceConnectionOptions) {
    this.#options = options
  }

  /** Opens the connection before it is needed. Rejects when the service cannot start, unless that is no longer of interest. */
  async open(): Promise<void> {
    if (this.#opened || this.#isClosed) return
    await this.#open().address.catch((error: unknown) => {
      if (!this.#isClosed) throw error
    })
  }

  /**
   * The one client of the open connection.
   * @param signal Ends the wait, not the start.
   * @throws {InputError} when the key or a limit is not valid, and the error of a service that cannot start.
   */
  async client(signal?: AbortSignal): Promise<Client> {
    return this.#open().client(signal)
  }

  /**
   * Runs work with the client. The connection stays open meanwhile.
   * @param work Receives the client, and a signal that is aborted when the process on this device exits unexpectedly.
   * @param signal Ends the wait for the client.
   */
  async use<Result>(
    work: (client: Client, lost: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    this.#uses += 1
    clearTimeout(this.#unused)
    try {
      const opened = this.#open()
      const client = await opened.client(signal)
      signal?.throwIfAborted()
      return await work(client, opened.lost)
    } finally {
      this.#uses -= 1
      this.#closeWhenUnused()
    }
  }

  /** Closes the connection that is open now. The next work opens another one. */
  disconnect(): void {
    if (!this.#opened) return
    void this.#opened.close()
    this.#forget(this.#opened)
  }

  /** Lets this request end, for a few seconds, before the connection is closed. */
  letEnd(request: Promise<unknown>): void {
    const ended: Promise<unknown> = request
      .catch(() => {})
      .finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  /** Closes it for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#unused)
    await withinTime(endingMs, Promise.all(this.#ending), () => undefined).catch(() => {})
    await this.#opened?.close()
  }

  /** @throws {ConnectionError} when it was closed for good: a process that starts now would have no owner. */
  #open(): OpenConnection {
    // While it closes, the requests that are to end still use it.
    if (this.#opened) return this.#opened
    if (this.#isClosed) {
      const message = 'The speech service node was closed, as a deploy does; send the message again'
      throw new ConnectionError(message, { code: 'NOT_REACHABLE', retryable: true })
    }
    const { acquire, limits = {}, pronunciations = [], onExit } = this.#options
    const lease = acquire((reason) => {
      this.#forget(opened)
      opened.lose(reason)
      onExit?.(reason)
    })
    const opened = new OpenConnection(lease, {
      ...toOptions(limits),
      pronunciations: [...pronunciations],
    })
    this.#opened = opened
    opened.address.then(
      () => this.#closeWhenUnused(),
      () => this.#forget(opened),
    )
    return opened
  }

  #closeWhenUnused(): void {
    clearTimeout(this.#unused)
    const { unusedLimitMs } = this.#options
    if (!unusedLimitMs || this.#uses > 0 || this.#isClosed) return
    this.#unused = setTimeout(() => this.disconnect(), unusedLimitMs).unref()
  }

  #forget(ended: OpenConnection): void {
    // A connection that was closed while it started fails later, when another one may be in use.
    if (ended !== this.#opened) return
    clearTimeout(this.#unused)
    this.#opened = undefined
    this.#options.onEnd?.()
  }
}

/** A lease, and the one client for its address. */
class OpenConnection {
  readonly #lease: Lease
  readonly #options: Partial<ClientOptions>
  #creating: Promise<Client> | undefined
  #client: Client | undefined
  #isClosed = false
  readonly #lost = new AbortController()

  constructor(lease: Lease, options: Partial<ClientOptions>) {
    this.#lease = lease
    this.#options = options
  }

  get address(): Lease['address'] {
    return this.#lease.address
  }

  /** Aborted when the process has exited unexpectedly. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  lose(reason: string): void {
    const message = `The process of the speech service has exited: ${reason}`
    this.#lost.abort(new ConnectionError(message, { code: 'CONNECTION_LOST', retryable: true }))
  }

  /** @param signal Ends the wait, not the start. */
  client(signal?: AbortSignal): Promise<Client> {
    this.#creating ??= this.#create()
    return signal ? unlessAborted(this.#creating, signal) : this.#creating
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // No client exists during the start, and other nodes may be waiting for the process.
    await Promise.all([this.#lease.release(), this.#client?.close()])
  }

  async #create(): Promise<Client> {
    // Imported on demand: its libraries use 20 MB of memory, which a Node-RED that does not speak need not spend.
    const [{ createClient }, address] = await Promise.all([import('@parlando/core'), this.address])
    this.#client = createClient({ ...address, ...this.#options })
    // The connection was closed during the import: calls of this client say so.
    if (this.#isClosed) await this.#client.close()
    return this.#client
  }
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
