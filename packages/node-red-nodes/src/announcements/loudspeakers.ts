import { packageState } from '../runtime/package-state.ts'
import type { SoundStore } from '../sounds/sound-store.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcer } from './announcement.ts'

/** What the nodes that play sounds share. The speaker node provides it when Node-RED loads it. */
export interface Loudspeakers {
  announcer: Announcer
  sounds: SoundStore
  /**
   * Finds loudspeakers by the ids of their configuration nodes, their names, or their rooms. Without any: the open editor,
   * or else this machine.
   * @throws {NodeInputError} for a name that no loudspeaker has; it lists those that exist.
   */
  find(names: readonly string[]): Speaker[]
  /**
   * Ends the playback of a sound that another node plays: `msg.played` says that it was heard.
   * @param url `msg.url` of that message; without the address of a sound, it means the oldest one.
   */
  notePlayed(url: unknown): void
}

const shared: { loudspeakers?: Loudspeakers } = packageState

export function provideLoudspeakers(loudspeakers: Loudspeakers): void {
  shared.loudspeakers = loudspeakers
}

export function loudspeakers(): Loudspeakers {
  if (!shared.loudspeakers) throw new Error('The speaker node is not loaded')
  return shared.loudspeakers
}
