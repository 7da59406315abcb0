import type { SpeechStore } from '@parlando/store'
import { keptFormat } from './kept-format.ts'

/** A service that was updated in the meantime is noticed with the first text after this time. */
const refreshMs = 10 * 60_000

export interface KnownVersionOptions {
  address: string
  store: Promise<SpeechStore | undefined>
  /** Asks the service. */
  ask(): Promise<string | undefined>
}

/** The version of a service on another machine, on which its sound depends. It is remembered while the service is away. */
export class KnownVersion {
  readonly #options: KnownVersionOptions
  #known: Promise<string | undefined> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(options: KnownVersionOptions) {
    this.#options = options
  }

  /** @returns nothing for a service that does not state its version. */
  async get(): Promise<string | undefined> {
    if (performance.now() - this.#askedAt > refreshMs) {
      this.#askedAt = performance.now()
      const asking = this.#ask()
      this.#known ??= this.#remembered().then((version) => version ?? asking)
    }
    return this.#known
  }

  async #ask(): Promise<string | undefined> {
    const version = await this.#options.ask().catch(() => undefined)
    if (!version) return undefined
    this.#known = Promise.resolve(version)
    const facts = { version }
    await (await this.#options.store)?.add(await this.#key(), { audio: new Uint8Array(), facts })
    return version
  }

  async #remembered(): Promise<string | undefined> {
    const known = await (await this.#options.store)?.get(await this.#key())
    return known && String(known.facts['version'])
  }

  async #key(): Promise<string> {
    const { soundKey } = await import('@parlando/store')
    return soundKey({ keptFormat, versionOf: this.#options.address })
  }
}
