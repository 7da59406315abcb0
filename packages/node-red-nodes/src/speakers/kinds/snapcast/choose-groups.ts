import type { ServerState, SnapcastGroup, SnapcastStream } from './server-state.ts'

/** The groups that hear a source, and those among them whose stream must change for that. */
export interface ChosenGroups {
  groups: readonly SnapcastGroup[]
  switched: readonly SnapcastGroup[]
  /** Whether a meta stream that plays something else must first notice that the source is active. */
  mustWake: boolean
}

/**
 * Groups that play the source, or a meta stream that contains it, hear it as they are. If there are none, all groups change
 * their stream.
 */
export function chooseGroups(
  { streams, groups }: ServerState,
  source: SnapcastStream,
): ChosenGroups {
  const metas = streams.filter(({ members }) => members.includes(source.id))
  const inMeta = metas.map(({ id }) => id)
  const connected = groups.filter(({ clients }) => clients > 0)
  const hearing = connected.filter(({ streamId }) => [source.id, ...inMeta].includes(streamId))
  if (hearing.length === 0) return { groups: connected, switched: connected, mustWake: false }
  // While it is idle, its first member counts as the one that plays.
  const isOpen = ({ isPlaying, members }: SnapcastStream) => !isPlaying && members[0] === source.id
  const heard = metas.filter(({ id }) => hearing.some(({ streamId }) => streamId === id))
  return { groups: hearing, switched: [], mustWake: !heard.every(isOpen) }
}
