import { SlimServer } from './slim-server.ts'

/** A deploy closes a speaker and creates it again; the players stay connected. */
const lingerMs = 5_000

interface Shared {
  uses: number
  /** Absent after a failure: the next use tries again. */
  server?: Promise<SlimServer> | undefined
  closing?: NodeJS.Timeout
}

/** The servers that speakers share, by their ports. */
export class SharedServers {
  readonly #host: string
  readonly #shared = new Map<number, Shared>()

  /** @param host The interface to listen on; empty: all. */
  constructor(host: string) {
    this.#host = host
  }

  /** Each use ends with {@link release}. */
  acquire(port: number): void {
    const shared = this.#shared.get(port) ?? { uses: 0 }
    this.#shared.set(port, shared)
    clearTimeout(shared.closing)
    shared.uses += 1
    // Who looks for a player learns of a failure.
    this.get(port).catch(() => {})
  }

  /** The server of a port that is acquired. @throws what `listen` throws, such as EADDRINUSE. */
  get(port: number): Promise<SlimServer> {
    const shared = this.#shared.get(port)!
    shared.server ??= SlimServer.listen(this.#host, port).catch((error) => {
      shared.server = undefined
      throw error
    })
    return shared.server
  }

  release(port: number): void {
    const shared = this.#shared.get(port)!
    shared.uses -= 1
    if (shared.uses > 0) return
    const close = () => {
      this.#shared.delete(port)
      shared.server?.then((server) => server.close()).catch(() => {})
    }
    shared.closing = setTimeout(close, lingerMs).unref()
  }
}
