import type { Client, ClientOptions } from '@parlando/core'
import { ConnectionError } from '@parlando/core/errors'
import { unlessAborted } from '../../runtime/wait.ts'
import type { Lease } from './device-service.ts'

/** A lease, and the one client for its address. */
export class OpenConnection {
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
