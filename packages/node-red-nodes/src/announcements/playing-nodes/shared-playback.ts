import { packageState } from '../../runtime/package-state.ts'
import type { SoundStore } from '../../sounds/to-play/sound-store.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Announcer } from '../announcer.ts'

/** What the nodes that play sounds share. The speaker node provides it when Node-RED loads it. */
export interface SharedPlayback {
  announcer: Announcer
  sounds: SoundStore
  /**
   * Finds speakers by the ids of their configuration nodes, their names, or their rooms. Without any: the open editor,
   * or else this machine.
   * @throws {NodeInputError} for a name that no speaker has; it lists those that exist.
   */
  find(names: readonly string[]): Speaker[]
  /**
   * Calls back at the end of each deploy, when `find` finds the speakers that it has created.
   * @returns a function that ends this.
   */
  onDeployed(listener: () => void): () => void
  /**
   * Ends the playback of a sound that another node plays: `msg.played` says that it was heard.
   * @param url `msg.url` of that message; without the address of a sound, it means the oldest one.
   */
  notePlayed(url: unknown): void
}

const shared = packageState('playback', (): { playback?: SharedPlayback } => ({}))

export function providePlayback(playback: SharedPlayback): void {
  shared.playback = playback
}

export function sharedPlayback(): SharedPlayback {
  if (!shared.playback) throw new Error('The speaker node is not loaded')
  return shared.playback
}
