import type { AppContext } from '../app/endpoint.ts'
import {
  openWyomingServer,
  type WyomingServer,
  type WyomingServerOptions,
} from './wyoming-server.ts'

/** Opens and closes a Wyoming server while the service runs. */
export class WyomingOffer {
  readonly #service: AppContext
  #server: WyomingServer | undefined
  #changes: Promise<unknown> = Promise.resolve()

  constructor(service: AppContext) {
    this.#service = service
  }

  /**
   * Opens the server, or closes it without options. Changes happen one after the other.
   * @throws {Error} with `code` `EADDRINUSE` if the port is in use.
   */
  set(options?: WyomingServerOptions): Promise<void> {
    const change = this.#changes.then(() => this.#apply(options))
    this.#changes = change.catch(() => {})
    return change
  }

  async #apply(options: WyomingServerOptions | undefined): Promise<void> {
    await this.#server?.close()
    this.#server = undefined
    if (options) this.#server = await openWyomingServer(options, this.#service)
  }
}
