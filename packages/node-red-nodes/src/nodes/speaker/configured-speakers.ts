import type { NodeAPI } from 'node-red'
import type { Speaker } from '../../speakers/speaker.ts'

/**
 * The speakers of configuration nodes. A deploy closes those that it changes, and creates them again only when all nodes that it
 * changes have ended. Until then the closed ones are still found: nobody can tell yet which of them is removed.
 */
export interface ConfiguredSpeakers {
  /** All speakers, by their ids. */
  all: ReadonlyMap<string, Speaker>
  add(speaker: Speaker): void
  /** The node of a speaker ends. */
  close(speaker: Speaker): void
  /** Calls back at the end of each deploy, when all speakers are there. @returns a function that ends this. */
  onDeployed(listener: () => void): () => void
}

export function createConfiguredSpeakers({ events }: Pick<NodeAPI, 'events'>): ConfiguredSpeakers {
  const all = new Map<string, Speaker>()
  const listeners = new Set<() => void>()
  const forgetClosed = () => {
    for (const [id, { isClosed }] of all) if (isClosed) all.delete(id)
    for (const listener of [...listeners]) listener()
  }
  events.on('flows:started', forgetClosed)
  // Node-RED starts nothing if a module is missing. Nodes that the deploy has not changed run on.
  events.on('runtime-event', ({ id, payload }: RuntimeEvent) => {
    if (id === 'runtime-state' && payload?.error !== undefined) forgetClosed()
  })
  return {
    all,
    add: (speaker) => void all.set(speaker.id, speaker),
    close(speaker) {
      speaker.isClosed = true
    },
    onDeployed(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface RuntimeEvent {
  id: string
  payload?: { error?: string }
}
