import { setTimeout as delay } from 'node:timers/promises'
import { restore } from '../../playback/restore.ts'
import type { SnapcastGroup } from './server-state.ts'
import type { SnapcastControl } from './snapcast-control.ts'

/** Mutes groups while their clients still have samples of a sound that was stopped. */
export class Muting {
  /** When a group is no longer muted, by its id. */
  readonly #until = new Map<string, number>()
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
    const own = groups.filter(({ id, isMuted }) => !isMuted || this.#until.has(id))
    const until = performance.now() + durationMs
    for (const { id } of own) this.#until.set(id, until)
    await Promise.all(own.map(({ id }) => setMute(control, id, true)))
    const unmuted = this.#unmuteAfter(control, own, durationMs)
    this.#running.add(unmuted)
    void unmuted.finally(() => this.#running.delete(unmuted))
  }

  /** Closes a connection when no group needs it any more. */
  closeLater(control: SnapcastControl): void {
    void this.ended.then(() => control.close())
  }

  /** Resolves when no group is muted. */
  get ended(): Promise<unknown> {
    return Promise.all(this.#running)
  }

  async #unmuteAfter(
    control: SnapcastControl,
    groups: readonly SnapcastGroup[],
    durationMs: number,
  ): Promise<void> {
    await delay(durationMs)
    const over = groups.filter(({ id }) => (this.#until.get(id) ?? 0) <= performance.now())
    for (const { id } of over) this.#until.delete(id)
    await restore(control, this.#reconnect, async (present) => {
      await Promise.all(over.map(({ id }) => setMute(present, id, false)))
    })
  }
}

async function setMute(control: SnapcastControl, id: string, mute: boolean): Promise<void> {
  await control.request('Group.SetMute', { id, mute })
}
