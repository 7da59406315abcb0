import type { ChildService } from '@parlando/local-service/process'

/** Other machines reach the Wyoming server here, which Home Assistant finds by mDNS. */
const toOtherMachines = { host: '0.0.0.0', port: 10_200, isAnnounced: true }

/** Offers the service of this device to Home Assistant while a configuration node asks for it. */
export class HomeAssistantOffer {
  readonly #asking = new Set<string>()
  #child: Pick<ChildService, 'offerWyoming'> | undefined

  /** @param id of the configuration node. */
  set(id: string, asks: boolean): void {
    const wasOffered = this.#isOffered
    if (asks) this.#asking.add(id)
    else this.#asking.delete(id)
    if (this.#isOffered !== wasOffered) this.#send()
  }

  /** A process has started, in place of the one before. */
  started(child: Pick<ChildService, 'offerWyoming'>): void {
    this.#child = child
    if (this.#isOffered) this.#send()
  }

  get #isOffered(): boolean {
    return this.#asking.size > 0
  }

  #send(): void {
    this.#child?.offerWyoming(this.#isOffered ? toOtherMachines : undefined)
  }
}
