import type { Client, ClientOptions } from '@parlando/core'
import { ConnectionError } from '@parlando/core/errors'
import type { Pronunciation } from '@parlando/core/text'
import { readSettings } from '../../runtime/settings.ts'
import { withinTime } from '../../runtime/wait.ts'
import type { Lease } from './device-service.ts'
import { OpenConnection } from './open-connection.ts'

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

function toOptions(limits: LimitSettings): Partial<ClientOptions> {
  const { timeoutSeconds, ...options } = readSettings({}, limits, {
    timeoutSeconds: { form: 'timeoutSeconds', isNumber: true },
    maxRetries: { form: 'retries', isNumber: true },
    maxConcurrent: { form: 'concurrent', isNumber: true },
  })
  const firstByteTimeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000
  return { firstByteTimeoutMs, ...options }
}
