import type { SpeechStore } from '@parlando/store'
import { type KeptFact, keptFact } from './kept-fact.ts'

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
  readonly #askService: KnownVersionOptions['ask']
  readonly #kept: KeptFact
  #known: Promise<string | undefined> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor({ address, store, ask }: KnownVersionOptions) {
    this.#askService = ask
    this.#kept = keptFact(store, { versionOf: address })
  }

  /** @returns nothing for a service that does not state its version. */
  async get(): Promise<string | undefined> {
    if (performance.now() - this.#askedAt > refreshMs) {
      this.#askedAt = performance.now()
      const asking = this.#ask()
      this.#known ??= this.#kept.read().then((version) => version ?? asking)
    }
    return this.#known
  }

  async #ask(): Promise<string | undefined> {
    const version = await this.#askService().catch(() => undefined)
    if (!version) return undefined
    this.#known = Promise.resolve(version)
    await this.#kept.keep(version)
    return version
  }
}
