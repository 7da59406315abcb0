import { setTimeout as delay } from 'node:timers/promises'
import { restore } from '../../device-drivers/restore.ts'
import type { SnapcastGroup } from './server-state.ts'
import type { SnapcastControl } from './snapcast-control.ts'

/** Mutes groups while their clients still have samples of a sound that was stopped. */
export class Muting {
  /** The ids of the muted groups, with the call that muted them last. */
  readonly #muted = new Map<string, symbol>()
  readonly #running = new Set<Promise<void>>()
  readonly #reconnect: () => Promise<SnapcastControl>

  constructor(reconnect: () => Promise<SnapcastControl>) {
    this.#reconnect = reconnect
  }

  /** Mutes groups for a time, unless somebody else has muted them. Resolves when they are silent. */
  async mute(
    control: SnapcastControl,
    groups: readonly SnapcastGroup[],
    durationMs: number,
  ): Promise<void> {
    const own = groups.filter(({ id, isMuted }) => !isMuted || this.#muted.has(id))
    const call = Symbol('mute')
    for (const { id } of own) this.#muted.set(id, call)
    try {
      await Promise.all(own.map(({ id }) => setMute(control, id, true)))
    } finally {
      // Also if the server has rejected one of them: the others are silent.
      const unmuted = this.#unmuteAfter(control, call, durationMs)
      this.#running.add(unmuted)
      void unmuted.finally(() => this.#running.delete(unmuted))
    }
  }

  /** Closes a connection when no group needs it any more. */
  closeLater(control: SnapcastControl): void {
    void this.ended.then(() => control.close())
  }

  /** Resolves when no group is muted. */
  get ended(): Promise<unknown> {
    return Promise.all(this.#running)
  }

  /** Unmutes the groups that no later call has muted again. */
  async #unmuteAfter(control: SnapcastControl, call: symbol, durationMs: number): Promise<void> {
    await delay(durationMs)
    const over = [...this.#muted].filter(([, last]) => last === call).map(([id]) => id)
    for (const id of over) this.#muted.delete(id)
    await restore(control, this.#reconnect, async (present) => {
      await Promise.all(over.map((id) => setMute(present, id, false)))
    })
  }
}

async function setMute(control: SnapcastControl, id: string, mute: boolean): Promise<void> {
  await control.request('Group.SetMute', { id, mute })
}
